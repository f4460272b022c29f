"""A server of the other era: what is told, and which choice would speak with it."""

import pytest

from inspector.errors import WRONG_ERA, ConnectionFailed, RequestTimeout
from inspector.protocol.messages import Json
from inspector.session.options import Options
from inspector.session.pending import Failure
from inspector.session.state import Phase
from inspector.session.wrong_era import (
    named_versions,
    refused_discover,
    refused_initialize,
    unanswered_discover,
)
from tests.session.scene import Scene, error, join, result, scene


def refusal(code: int, data: Json = None) -> Failure:
    return Failure(code, "no", data, b"{}", 3)


async def refused(s: Scene, code: int, data: Json = None) -> None:
    opening = s.begin(s.session.open())
    asked = await s.client()
    s.server(error(int(str(asked["id"])), code, "Unsupported", data))
    await join(opening)


@pytest.mark.parametrize("data", [{"supported": ["2026-07-28"], "requested": "2025-11-25"}, None])
async def test_a_modern_only_server_is_told_with_the_choice_that_speaks_with_it(
    data: Json,
) -> None:
    async with scene() as s:
        await refused(s, -32022, data)
        told = s.session.state.error
        assert s.session.state.phase is Phase.FAILED
        assert told is not None
        assert told.kind == WRONG_ERA
        assert told.fault == "you", "nothing is broken"
        assert "--protocol modern" in told.hint
        assert "--protocol auto" in told.hint
        named = named_versions(s.session.state.initialize_raw, s.session.calls)
        assert named == (("2026-07-28",) if data else ())


def test_a_server_without_initialize_may_be_modern() -> None:
    told = refused_initialize(refusal(-32601), "2025-11-25")
    assert (told.kind, "--protocol modern" in told.hint) == (WRONG_ERA, True)
    assert "-32601" in told.message


def test_a_refusal_that_says_nothing_of_eras_is_told_as_it_is() -> None:
    told = refused_initialize(refusal(-32000), "2025-11-25")
    assert told.kind == "initialize"
    assert "--protocol" not in told.hint


def test_a_server_that_names_only_strange_revisions_is_not_called_modern() -> None:
    told = refused_initialize(refusal(-32602, {"supported": ["1999-01-01"]}), "2025-11-25")
    assert told.kind == "version"
    assert "1999-01-01" in told.message


def test_a_server_that_refuses_discover_may_be_of_the_handshake_era() -> None:
    told = refused_discover(refusal(-32600), "2026-07-28")
    assert (told.kind, "--protocol handshake" in told.hint) == (WRONG_ERA, True)
    older = refused_discover(refusal(-32022, {"supported": ["2025-06-18"]}), "2026-07-28")
    assert (older.kind, "--protocol handshake" in older.hint) == (WRONG_ERA, True)
    newer = refused_discover(refusal(-32022, {"supported": ["2030-01-01"]}), "2026-07-28")
    assert newer.kind == "version"


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        (RequestTimeout("no answer", hint="wait longer"), True),
        (ConnectionFailed("gone", kind="exited"), True),
        (ConnectionFailed("no such host", kind="dns"), False),
    ],
)
def test_silence_after_discover_is_explained_but_no_failure_of_the_network_is(
    lost: ConnectionFailed, told: bool
) -> None:
    before = lost.hint
    after = unanswered_discover(lost)
    assert ("--protocol handshake" in after.hint) is told
    assert before in after.hint


async def test_what_the_server_names_is_read_from_the_result_that_opened_the_session() -> None:
    async with scene(Options(protocol="modern", no_record=True)) as s:
        opening = s.begin(s.session.open())
        asked = await s.client()
        body: Json = {
            "resultType": "complete",
            "supportedVersions": ["2025-11-25", "2026-07-28", 7],
            "capabilities": {},
        }
        s.server(result(int(str(asked["id"])), body))
        await join(opening)
        raw = s.session.state.initialize_raw
        assert named_versions(raw, ()) == ("2025-11-25", "2026-07-28")
        assert named_versions(b"no json", s.session.calls) == ("2025-11-25", "2026-07-28")
        assert named_versions(b"", ()) == ()
