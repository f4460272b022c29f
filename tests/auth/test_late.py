"""What OAuth costs a server that does not want it: nothing."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from inspector.auth.attempt import Attempt
from inspector.auth.authorities import Authorities
from inspector.auth.authority import Authority
from inspector.auth.late import TokenSource, UnopenedStore
from inspector.auth.store import FileStore, open_store
from inspector.config.oauth import OAuthChoice
from inspector.config.paths import auth_dir
from inspector.config.targets import Target
from inspector.errors import ConnectionFailed
from inspector.journal.journal import Journal
from tests.auth.grants import SERVER, a_grant

HERE = Target(url=SERVER)


def silent(_: str) -> None:
    pass


@pytest.fixture
async def group() -> AsyncIterator[asyncio.TaskGroup]:
    async with asyncio.TaskGroup() as group:
        yield group


def authorities(
    group: asyncio.TaskGroup, store: UnopenedStore | FileStore | None = None
) -> Authorities:
    return Authorities(Journal(), group.create_task, lambda: None, store=store)


def tokens_of(all_of_them: Authorities, target: Target = HERE) -> TokenSource:
    found = all_of_them.tokens(target)
    assert found is not None
    return found


async def test_without_any_token_kept_requests_go_out_and_no_authority_is_made(
    group: asyncio.TaskGroup,
) -> None:
    made = authorities(group, UnopenedStore(False, silent))
    tokens = tokens_of(made)
    assert tokens.settled
    assert await tokens.credential() is None
    tokens.accepted(None)
    assert made.made(HERE) is None


async def test_a_token_that_was_kept_is_sent(group: asyncio.TaskGroup) -> None:
    grant = a_grant()
    open_store().keep(grant)
    made = authorities(group, UnopenedStore(False, silent))
    tokens = tokens_of(made)
    assert not tokens.settled
    assert await tokens.credential() == grant.tokens.access
    assert made.made(HERE) is made.get(HERE)


async def test_one_that_another_process_keeps_meanwhile_is_sent_from_then_on(
    group: asyncio.TaskGroup,
) -> None:
    tokens = tokens_of(authorities(group, UnopenedStore(False, silent)))
    assert await tokens.credential() is None
    open_store().keep(a_grant())
    assert await tokens.credential() == a_grant().tokens.access


async def test_where_nothing_is_to_be_stored_nothing_is_looked_for(
    group: asyncio.TaskGroup,
) -> None:
    open_store().keep(a_grant())
    made = authorities(group, UnopenedStore(True, silent))
    assert await tokens_of(made).credential() is None
    assert made.made(HERE) is None
    assert auth_dir().exists()


async def test_a_refusal_makes_the_authority_that_the_front_end_sees(
    group: asyncio.TaskGroup,
) -> None:
    made = authorities(group)
    tokens = tokens_of(made)
    with pytest.raises(ConnectionFailed, match="nobody can be asked"):
        await tokens.refused(401, ["Bearer"], None, 1, Attempt())
    assert made.made(HERE) is not None
    assert made.made(HERE) is made.get(HERE)


async def test_what_the_user_chose_is_judged_at_once(group: asyncio.TaskGroup) -> None:
    chosen = Target(url=SERVER, oauth=OAuthChoice(client_id="mine"))
    assert isinstance(authorities(group).tokens(chosen), Authority)


async def test_a_store_that_somebody_brought_is_asked_at_once(
    group: asyncio.TaskGroup, tmp_path: Path
) -> None:
    assert isinstance(authorities(group, FileStore(tmp_path)).tokens(HERE), Authority)
