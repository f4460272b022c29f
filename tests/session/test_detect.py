"""Finding out the era of a server (2026-07-28 basic/versioning)."""

import pytest

from inspector.errors import ConnectionFailed
from inspector.journal.entries import Flag
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.versions import Era, Revision
from inspector.session.detect import Detect
from inspector.session.options import Options
from tests.session.scene import Scene, error, initialized, join, result, scene
from tests.session.test_modern import discovered

AUTO = Options(protocol="auto")


def hasty(s: Scene) -> None:
    """The client waits for the probe no longer than a moment, as with a process."""
    s.wire.kind = "stdio"
    strategy = s.session.engine.strategy
    assert isinstance(strategy, Detect)
    strategy.probe_seconds = 0.01


async def probe(s: Scene) -> int:
    """Takes the probe; its id."""
    asked = await s.client()
    assert asked["method"] == "server/discover"
    assert isinstance(asked["id"], int)
    return asked["id"]


async def shake_hands(s: Scene) -> None:
    """The handshake that the client begins after a probe that led nowhere."""
    first = await s.client()
    assert first["method"] == "initialize"
    assert isinstance(first["id"], int)
    s.server(result(first["id"], initialized()))
    assert (await s.client())["method"] == "notifications/initialized"


async def test_a_modern_server_is_found_by_the_probe_alone() -> None:
    async with scene(AUTO) as s:
        opening = s.begin(s.session.open())
        s.server(result(await probe(s), discovered()))
        await join(opening)
        assert s.session.state.revision is Revision.V2026_07_28
        assert s.session.era is Era.MODERN
        assert s.transcript() == ["→ request server/discover", "← result server/discover"]


async def test_the_probe_is_tagged_in_the_journal() -> None:
    async with scene(AUTO) as s:
        opening = s.begin(s.session.open())
        number = await probe(s)
        sent = s.session.calls[0].entry
        assert Flag.PROBE in s.journal.row(sent).flags
        s.server(result(number, discovered()))
        await join(opening)


@pytest.mark.parametrize(
    ("code", "data"),
    [(-32601, None), (-32602, {"supported": ["2025-11-25"]}), (-32600, None), (0, None), (-1, 3)],
)
async def test_any_other_error_leads_to_the_handshake(code: int, data: Json) -> None:
    """No single code decides."""
    async with scene(AUTO) as s:
        opening = s.begin(s.session.open())
        s.server(error(await probe(s), code, "what?", data))
        await shake_hands(s)
        await join(opening)
        state = s.session.state
        assert state.ready
        assert state.revision is Revision.V2025_11_25
        assert s.session.era is Era.HANDSHAKE
        assert str(code) in state.why


async def test_what_discovers_only_older_revisions_is_of_the_handshake_era() -> None:
    async with scene(AUTO) as s:
        opening = s.begin(s.session.open())
        s.server(result(await probe(s), discovered("2025-06-18", "2025-11-25")))
        await shake_hands(s)
        await join(opening)
        assert "2025-06-18" in s.session.state.why


@pytest.mark.parametrize("odd", [{}, {"supportedVersions": 3}, {"supportedVersions": [None]}])
async def test_a_result_that_names_no_revision_is_no_discovery(odd: JsonObject) -> None:
    async with scene(AUTO) as s:
        opening = s.begin(s.session.open())
        s.server(result(await probe(s), odd))
        await shake_hands(s)
        await join(opening)
        assert s.session.state.ready


async def test_a_silent_process_gets_initialize_too_and_may_answer_that() -> None:
    """Servers of former years do not answer what they do not know."""
    async with scene(AUTO) as s:
        hasty(s)
        opening = s.begin(s.session.open())
        await probe(s)
        assert s.session.calls[0].hint == "after 0.01 s initialize is tried"
        await shake_hands(s)
        await join(opening)
        assert s.session.state.revision is Revision.V2025_11_25
        assert "not answered" in s.session.state.why


async def test_the_page_that_came_with_a_refusal_is_not_part_of_the_reason() -> None:
    async with scene(AUTO) as s:
        opening = s.begin(s.session.open())
        said = "HTTP 404 Not Found in answer to server/discover: <!DOCTYPE html> <html lang=en>"
        s.session.engine.failed(await probe(s), ConnectionFailed(said, kind="http"), None)
        await shake_hands(s)
        await join(opening)
        assert "HTTP 404 Not Found in answer to server/discover. Offered" in s.session.state.why


async def test_over_http_with_sse_there_is_no_probe() -> None:
    """2026-07-28 does not have that transport, and old servers end the stream at the probe."""
    async with scene(AUTO) as s:
        s.wire.kind = "sse"
        opening = s.begin(s.session.open())
        await shake_hands(s)
        await join(opening)
        assert s.session.state.revision is Revision.V2025_11_25
        assert s.session.era is Era.HANDSHAKE
        assert s.session.state.why.startswith("HTTP+SSE is a transport of the handshake era")


async def test_a_slow_process_that_answers_the_probe_late_is_modern_all_the_same() -> None:
    async with scene(AUTO) as s:
        hasty(s)
        opening = s.begin(s.session.open())
        probed = await probe(s)
        assert (await s.client())["method"] == "initialize"
        s.server(result(probed, discovered()))
        await join(opening)
        assert s.session.state.revision is Revision.V2026_07_28
        assert s.session.era is Era.MODERN


async def test_a_modern_error_is_proof_and_there_is_no_falling_back() -> None:
    async with scene(AUTO) as s:
        opening = s.begin(s.session.open())
        s.server(error(await probe(s), -32022, "no", {"supported": ["2027-01-01"]}))
        await join(opening)
        assert isinstance(s.session.state.error, ConnectionFailed)
        assert "2027-01-01" in s.session.state.error.message
        assert s.quiet()
