"""Rude HTTP servers behind the command line: exit codes, and a recording that has what was said."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.cli.running import Finished, Runner
from tests.peers.evidence import frames, recorded
from tests.servers.rude_http import Seen, rude_http

DONE, REFUSED, CANNOT, BROKEN, LATE = 0, 1, 3, 4, 5
IMPATIENT = ("--timeout", "0.6")


@dataclass(frozen=True, slots=True)
class Rude:
    """What the run ends with and says; `came` is how many messages the server sent (after an error
    the list of tools too, to say whether the arguments were at fault)."""

    code: int
    says: str
    came: int | None = None


MODES = {
    "stream": Rude(DONE, '"ok"', 3),
    "close-then-resume": Rude(DONE, '"ok"', 5),
    "close-mid-chunk": Rude(DONE, '"ok"', 5),
    "left-open": Rude(DONE, '"ok"', 2),
    "drip": Rude(DONE, '"ok"', 2),
    "batch": Rude(DONE, '"ok"', 2),
    "several-lines": Rude(DONE, '"ok"', 3),
    "gzipped": Rude(DONE, '"ok"', 2),
    "no-get": Rude(DONE, '"ok"', 2),
    "get-500": Rude(DONE, '"ok"', 2),
    "redirect-307": Rude(DONE, "POST /mcp/", 2),
    "redirect-308": Rude(DONE, "POST /mcp/", 2),
    "error-without-id": Rude(REFUSED, "Bad Request", 3),
    "error-foreign-id": Rude(REFUSED, "Bad Request", 3),
    "reset-mid-body": Rude(BROKEN, "reset the connection"),
    "reset-before-head": Rude(BROKEN, "reset the connection"),
    "huge-header": Rude(BROKEN, "headers of more than"),
    "html-500": Rude(BROKEN, "HTTP 500"),
    "busy": Rude(CANNOT, "Retry-After: 7"),
    "unauthorized": Rude(CANNOT, "wants authorization"),
    "session-gone": Rude(BROKEN, "ended the session"),
    "redirect-302": Rude(CANNOT, "only 307 and 308"),
    "redirect-elsewhere": Rude(CANNOT, "another origin"),
    "redirect-loop": Rude(CANNOT, "in a circle"),
    "redirect-userinfo": Rude(CANNOT, "another origin"),
    "init-404": Rude(CANNOT, "HTTP 404"),
    "init-500": Rude(CANNOT, "HTTP 500"),
    "init-modern-error": Rude(CANNOT, "-32022"),
    "close-without-id": Rude(BROKEN, "stream ended before", 2),
    "html-200": Rude(BROKEN, "text/html"),
    "accepted": Rude(BROKEN, "HTTP 202"),
    "empty": Rude(BROKEN, "empty body"),
    "wrong-id": Rude(BROKEN, "no response to it", 2),
    "gzip-bomb": Rude(BROKEN, "counted after decoding"),
    "endless-json": Rude(BROKEN, "larger than"),
    "never": Rude(LATE, "no answer"),
    "comments-only": Rude(LATE, "no answer"),
}


@dataclass(frozen=True, slots=True)
class Ran:
    """One run, what the server saw of it, and the recording."""

    done: Finished
    seen: tuple[Seen, ...]
    recording: Path


@pytest.fixture(scope="module")
def runs(run: Runner, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Ran]:
    """The run of a mode, made when it is first wanted."""
    folder = tmp_path_factory.mktemp("rude-http")

    async def make(mode: str) -> Ran:
        recording = folder / f"{mode}.jsonl"
        patience = IMPATIENT if MODES[mode].code == LATE else ()
        words = ("call", "poke", "--json", *patience, "--record", str(recording))
        async with rude_http(mode) as peer:
            done = await asyncio.to_thread(run, *words, peer.url)
            return Ran(done, tuple(peer.seen), recording)

    return cache(lambda mode: asyncio.run(make(mode)))


@pytest.fixture(scope="module", params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_exit_code_says_what_kind_of_end_it_was(runs: Callable[[str], Ran], mode: str) -> None:
    done, rude = runs(mode).done, MODES[mode]
    assert done.code == rude.code, (done.stdout[:300], done.stderr[:300])
    if rude.code in (DONE, REFUSED):
        assert rude.says in done.stdout
        assert done.stderr == ""
    else:
        assert done.stdout == ""
        error = json.loads(done.stderr)["error"]
        assert rude.says in error["message"] + error["hint"]


def test_every_message_that_the_server_got_is_in_the_recording(
    runs: Callable[[str], Ran], mode: str
) -> None:
    """A redirected message arrives twice and is one; the GET stream and DELETE have no body."""
    one = runs(mode)
    arrived = [seen.body for seen in one.seen if seen.method == "POST"]
    assert set(arrived) == set(frames(one.recording, "out"))


def test_every_http_exchange_is_in_the_recording(runs: Callable[[str], Ran], mode: str) -> None:
    """A stream that we gave up before it had a head may not have reached the server."""
    one = runs(mode)
    facts = [json.loads(raw) for kind, raw in recorded(one.recording) if kind == "http"]
    shown = Counter(fact["method"] for fact in facts)
    arrived = Counter(seen.method for seen in one.seen)
    assert (shown["POST"], shown["DELETE"]) == (arrived["POST"], arrived["DELETE"])
    given_up = sum(
        fact["method"] == "GET" and "given up" in fact.get("error", "") for fact in facts
    )
    assert shown["GET"] - given_up <= arrived["GET"] <= shown["GET"]


def test_every_message_that_the_server_sent_is_in_the_recording(
    runs: Callable[[str], Ran], mode: str
) -> None:
    came = MODES[mode].came
    received = frames(runs(mode).recording, "in")
    assert len(received) == came if came is not None else len(received) <= 2


def test_an_event_that_a_server_replays_is_there_twice_and_marked(
    runs: Callable[[str], Ran],
) -> None:
    mode = "close-then-resume"
    received = frames(runs(mode).recording, "in")
    twice = [raw for raw in set(received) if received.count(raw) > 1]
    assert len(twice) == 1
    lines = [x for x in runs(mode).recording.read_bytes().splitlines() if twice[0] in x]
    assert [b'"duplicate"' in line for line in lines] == [False, True]


def test_the_session_id_is_nowhere_in_the_recording(runs: Callable[[str], Ran], mode: str) -> None:
    assert b"rude-session-0123456789" not in runs(mode).recording.read_bytes()


def test_what_no_message_was_in_is_kept_as_it_came(runs: Callable[[str], Ran]) -> None:
    for mode in ("html-500", "html-200", "init-500"):
        assert b"<h1>Internal Server Error</h1>" in runs(mode).recording.read_bytes()


def test_a_session_is_ended_with_delete(runs: Callable[[str], Ran]) -> None:
    for mode in ("stream", "never", "html-500"):
        assert [seen.method for seen in runs(mode).seen].count("DELETE") == 1


def test_nothing_goes_where_a_redirect_must_not_lead(runs: Callable[[str], Ran]) -> None:
    assert {seen.path for seen in runs("redirect-userinfo").seen} == {"/mcp"}
    assert {seen.path for seen in runs("redirect-302").seen} == {"/mcp"}


def test_a_call_that_got_503_or_a_reset_is_not_sent_again(runs: Callable[[str], Ran]) -> None:
    for mode in ("busy", "reset-before-head", "reset-mid-body"):
        calls = [seen for seen in runs(mode).seen if seen.message.get("method") == "tools/call"]
        assert len(calls) == 1
