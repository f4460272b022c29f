"""What becomes of a grant: kept, renewed, set aside, revoked; and never shown."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.auth.exchange import OAuthRequest, Step
from inspector.auth.grant import Grant, Profile
from inspector.auth.holding import Holding
from inspector.auth.policy import Refused
from inspector.auth.registration import AuthMethod, Client
from inspector.auth.secret import Secret
from inspector.auth.sending import Forbidden, Outcome, Received, Sender, Unreachable
from inspector.auth.store import FileStore, MemoryStore, ShelfStore
from inspector.errors import InspectorError
from inspector.journal.journal import Journal
from inspector.protocol.json_text import JsonObject
from tests.auth.grants import ISSUER, NOW, SERVER, a_client, a_grant

FRESH = (
    b'{"access_token": "fr3sh-access", "refresh_token": "fr3sh-refresh", "token_type": "bearer"}'
)


class Canned(Sender):
    """Gives these answers, one after the other, and keeps the requests."""

    def __init__(self, *answers: Outcome) -> None:
        self.requests: list[OAuthRequest] = []
        self._answers = list(answers)

    async def send(self, request: OAuthRequest, connection: int) -> Outcome:
        del connection
        self.requests.append(request)
        return self._answers.pop(0)


def holding(
    store: MemoryStore, *answers: Outcome, sign: Callable[[JsonObject], Secret] | None = None
) -> tuple[Holding, Canned, Journal]:
    journal, sender = Journal(), Canned(*answers)
    held = Holding(
        Profile(SERVER, sign=sign),
        journal,
        store=store,
        sender=sender,
        clock=lambda: NOW + 30,
        random=lambda count: b"r" * count,
    )
    return held, sender, journal


class Slow(Canned):
    """Answers when it is told to."""

    def __init__(self, *answers: Outcome) -> None:
        super().__init__(*answers)
        self.asked = asyncio.Event()
        self.go_on = asyncio.Event()

    async def send(self, request: OAuthRequest, connection: int) -> Outcome:
        self.asked.set()
        await self.go_on.wait()
        return await super().send(request, connection)


def stored(grant: Grant) -> MemoryStore:
    store = MemoryStore(clock=lambda: NOW + 30)
    store.keep(grant)
    return store


async def test_what_was_stored_is_loaded_once_and_masked_from_then_on() -> None:
    held, _, journal = holding(stored(a_grant(access="st0red-access", refresh="st0red-refresh")))
    await held.load()
    assert held.grant is not None
    text = b"st0red-access st0red-refresh client-s3cret"
    assert b"s3cret" not in journal.redactor.text(text)[0]
    assert b"st0red" not in journal.redactor.text(text)[0]
    held.forget()
    await held.load()
    assert held.grant is None


async def test_a_fresh_token_takes_the_place_of_the_old_one_also_in_the_store() -> None:
    store = stored(a_grant())
    held, sender, journal = holding(store, Received(200, FRESH, 7))
    await held.load()
    news = held.news
    assert await held.renew(1) is None
    assert held.grant is not None
    assert held.grant.tokens.access == Secret("fr3sh-access")
    assert news.is_set()
    assert store.grant(SERVER) == held.grant
    assert [request.step for request in sender.requests] == [Step.REFRESH]
    assert b"fr3sh" not in journal.redactor.text(b"fr3sh-access fr3sh-refresh")[0]


@pytest.mark.parametrize(
    "answer",
    [
        Received(500, b"oops", 7),
        Received(429, b'{"error": "slow_down"}', 7),
        Unreachable("nothing listens there", 7),
        Forbidden(Refused("it points at this machine", "RFC"), 7),
    ],
)
async def test_trouble_changes_nothing_and_is_told(answer: Outcome) -> None:
    store = stored(a_grant())
    held, _, _ = holding(store, answer)
    await held.load()
    error = await held.renew(1)
    assert error is not None
    assert error.kind == "auth"
    assert "kept" in error.hint
    assert held.grant == a_grant() == store.grant(SERVER)


async def test_a_void_token_is_deleted_and_whom_to_ask_again_stays_in_mind() -> None:
    store = stored(a_grant())
    held, _, _ = holding(store, Received(400, b'{"error": "invalid_grant"}', 7))
    await held.load()
    assert await held.renew(1) is None
    assert store.grant(SERVER) is None
    assert held.grant is not None
    assert held.grant.tokens.refresh is None
    assert held.grant.server.issuer == ISSUER


async def test_a_client_that_the_server_does_not_know_is_not_used_again() -> None:
    store = stored(a_grant())
    store.keep_client(a_client())
    held, _, _ = holding(store, Received(401, b'{"error": "invalid_client"}', 7))
    await held.load()
    assert held.stored_client(ISSUER) == a_client()
    assert await held.renew(1) is None
    assert held.stored_client(ISSUER) is None


async def test_a_newer_token_of_another_process_is_taken_without_a_request() -> None:
    store = stored(a_grant())
    held, sender, _ = holding(store)
    await held.load()
    newer = a_grant(access="newer-acc3ss", at=NOW + 20)
    store.keep(newer)
    assert await held.renew(1) is None
    assert held.grant == newer
    assert sender.requests == []


async def test_a_clock_that_was_put_back_does_not_hide_the_token_of_another_process() -> None:
    """To send the refresh token once more looks like theft where they rotate."""
    store = MemoryStore(clock=lambda: NOW - 3600)
    store.keep(a_grant())
    held, sender, _ = holding(store)
    await held.load()
    fresh = a_grant(access="newer-acc3ss", at=NOW - 3600)
    store.keep(fresh)
    assert await held.renew(1) is None
    assert held.grant == fresh
    assert sender.requests == []


async def test_what_could_not_be_stored_is_not_given_up_for_what_lay_there_before() -> None:
    store = Broken(clock=lambda: NOW + 30)
    store.keep(a_grant())
    held, sender, _ = holding(store, Received(200, FRESH, 1), Received(200, FRESH, 2))
    await held.load()
    store.broken = True
    await held.renew(1)
    store.broken = False
    assert await held.renew(1) is None
    assert len(sender.requests) == 2
    assert b"fr3sh-refresh" in sender.requests[1].body


async def test_nothing_held_is_nothing_to_renew_or_revoke() -> None:
    held, sender, _ = holding(MemoryStore())
    await held.load()
    assert await held.renew(1) is None
    assert await held.revoke(1) == []
    assert sender.requests == []


def revocable(**client: object) -> Grant:
    grant = a_grant()
    server = replace(grant.server, revocation_endpoint=f"{ISSUER}/revoke")
    return replace(grant, server=server, client=replace(grant.client, **client))  # type: ignore[arg-type]


async def test_both_tokens_are_revoked_the_refresh_token_first() -> None:
    held, sender, _ = holding(
        stored(revocable()), Received(200, b"", 1), Unreachable("nothing listens there", 2)
    )
    await held.load()
    assert await held.revoke(1) == [
        "refresh token: revoked",
        "access token: not revoked: nothing listens there",
    ]
    assert b"token=refr3sh" in sender.requests[0].body


async def test_a_refusal_to_revoke_is_told() -> None:
    held, _, _ = holding(
        stored(revocable()),
        Received(503, b"", 1),
        Forbidden(Refused("it points at this machine", "RFC"), 2),
    )
    await held.load()
    assert await held.revoke(1) == [
        "refresh token: not revoked, the server answered HTTP 503",
        "access token: not revoked: it points at this machine",
    ]


async def test_a_server_without_revocation_is_said_to_have_none() -> None:
    held, _, _ = holding(stored(a_grant()))
    await held.load()
    assert await held.revoke(1) == ["the authorization server cannot revoke tokens"]


async def test_a_client_with_a_key_signs_also_what_it_revokes() -> None:
    said: list[JsonObject] = []

    def sign(claims: JsonObject) -> Secret:
        said.append(claims)
        return Secret("s1gned")

    grant = revocable(auth_method=AuthMethod.PRIVATE_KEY_JWT, secret=None)
    answers = (Received(200, b"", 1), Received(200, b"", 2))
    held, sender, _ = holding(stored(grant), *answers, sign=sign)
    await held.load()
    await held.revoke(1)
    assert [claims["aud"] for claims in said] == [ISSUER, ISSUER]
    assert all(b"client_assertion=s1gned" in request.body for request in sender.requests)


class Broken(MemoryStore):
    """Can be read, and nothing else."""

    broken = False

    def _check(self) -> None:
        if self.broken:
            raise InspectorError("the keyring is locked")

    def keep(self, grant: Grant) -> None:
        self._check()
        super().keep(grant)

    def keep_client(self, client: Client) -> None:
        self._check()

    def drop(self, grant: Grant) -> bool:
        self._check()
        return super().drop(grant)


async def test_a_store_that_fails_loses_nothing_that_is_in_use() -> None:
    store = Broken(clock=lambda: NOW + 30)
    store.keep(a_grant())
    held, _, journal = holding(store, Received(200, FRESH, 7))
    await held.load()
    store.broken = True
    assert await held.renew(1) is None
    assert held.grant is not None
    assert held.grant.tokens.access == Secret("fr3sh-access")
    assert "lost at exit: the keyring is locked" in held.problem
    names = [journal.row(number).method for number in range(1, len(journal) + 1)]
    assert "oauth-not-stored" in names
    held.keep_client(a_client())
    assert "client is not stored" in held.problem


async def test_a_void_token_that_cannot_be_deleted_is_not_used_all_the_same() -> None:
    store = Broken(clock=lambda: NOW + 30)
    store.keep(a_grant())
    held, _, _ = holding(store, Received(400, b'{"error": "invalid_grant"}', 7))
    await held.load()
    store.broken = True
    assert await held.renew(1) is None
    assert "could not be deleted" in held.problem
    assert held.grant is not None
    assert held.grant.tokens.refresh is None


def test_what_a_server_says_loses_the_secrets_in_it() -> None:
    held, _, journal = holding(MemoryStore())
    journal.redactor.learn("the-t0ken")
    assert "the-t0ken" not in held.clean("no: the-t0ken \ud800")


async def test_two_processes_at_once_send_one_refresh_token_once(tmp_path: Path) -> None:
    """A server that rotates takes the second use for a theft, and ends both."""

    def process(sender: Canned) -> Holding:
        store: ShelfStore = FileStore(tmp_path, clock=lambda: NOW + 30)
        return Holding(
            Profile(SERVER),
            Journal(),
            store=store,
            sender=sender,
            clock=lambda: NOW + 30,
            random=lambda count: b"r" * count,
        )

    FileStore(tmp_path, clock=lambda: NOW).keep(a_grant())
    slow, never = Slow(Received(200, FRESH, 1)), Canned()
    first, second = process(slow), process(never)
    await first.load()
    await second.load()
    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        group.create_task(first.renew(1))
        await slow.asked.wait()
        group.create_task(second.renew(1))
        await asyncio.sleep(0)
        slow.go_on.set()
    assert len(slow.requests) == 1
    assert never.requests == []
    assert second.grant is not None
    assert second.grant.tokens.access == Secret("fr3sh-access")
