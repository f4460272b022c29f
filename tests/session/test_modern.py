"""The modern era (2026-07-28): opening, what each request carries, what a result must say."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from inspector.errors import ConnectionFailed, PeerViolation
from inspector.journal.entries import Flag
from inspector.protocol.header_params import HeaderParam, HeaderParams
from inspector.protocol.messages import Json, JsonObject, RawJson
from inspector.protocol.versions import Era, Revision
from inspector.session.modern import Modern
from inspector.session.options import Options
from inspector.session.pending import Lost, Success
from tests.session.scene import Scene, error, initialized, join, request, result, scene, soon

META = "io.modelcontextprotocol/"
SPEAKS_MODERN = Options(protocol="modern", client_version="9")


def discovered(*versions: str, **more: Json) -> JsonObject:
    """A DiscoverResult."""
    body: JsonObject = {
        "resultType": "complete",
        "supportedVersions": list(versions or ("2026-07-28",)),
        "capabilities": {"tools": {"listChanged": True}, "resources": {"subscribe": True}},
        "instructions": "Be kind.",
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {f"{META}serverInfo": {"name": "modern", "version": "2"}},
    }
    return {**body, **more}


@asynccontextmanager
async def opened(options: Options = SPEAKS_MODERN, **more: Json) -> AsyncIterator[Scene]:
    """A modern session that is ready; `more` stands in the DiscoverResult."""
    async with scene(options) as s:
        opening = s.begin(s.session.open())
        asked = await s.client()
        assert asked["method"] == "server/discover"
        assert isinstance(asked["id"], int)
        s.server(result(asked["id"], discovered(**more)))
        await join(opening)
        assert s.session.state.ready
        yield s


def meta_of(message: JsonObject) -> JsonObject:
    """The `_meta` of a request."""
    params = message["params"]
    assert isinstance(params, dict)
    meta = params["_meta"]
    assert isinstance(meta, dict)
    return meta


async def test_discover_opens_the_session_without_any_handshake() -> None:
    """2026-07-28 server/discover."""
    async with opened() as s:
        state = s.session.state
        assert state.revision is Revision.V2026_07_28
        assert s.session.era is Era.MODERN
        assert state.server_info == {"name": "modern", "version": "2"}
        assert state.instructions == "Be kind."
        assert "2026-07-28" in state.why
        assert s.transcript() == ["→ request server/discover", "← result server/discover"]


async def test_every_request_says_version_client_and_capabilities() -> None:
    """2026-07-28 basic, `_meta`."""
    async with opened() as s:
        s.begin(s.session.catalog.look("tools"))
        meta = meta_of(await s.client())
        assert meta[f"{META}protocolVersion"] == "2026-07-28"
        client = meta[f"{META}clientInfo"]
        assert isinstance(client, dict)
        assert (client["name"], client["version"]) == ("mcp-inspect", "9")
        capabilities = meta[f"{META}clientCapabilities"]
        assert isinstance(capabilities, dict)
        assert capabilities["roots"] == {}  # listChanged is gone from this revision
        assert f"{META}logLevel" not in meta


async def test_what_the_user_put_into_meta_stays_as_it_is() -> None:
    async with opened() as s:
        mine: JsonObject = {
            "name": "x",
            "_meta": {f"{META}protocolVersion": "1999-01-01", "a/b": 1},
        }
        await soon(s.session.request("tools/call", mine))
        meta = meta_of(await s.client())
        assert meta[f"{META}protocolVersion"] == "1999-01-01"
        assert meta["a/b"] == 1
        assert f"{META}clientInfo" in meta


async def test_raw_parameters_keep_their_tokens_beside_the_meta() -> None:
    async with opened() as s:
        await soon(s.session.request("tools/call", RawJson(b'{"name":"x","arguments":{"n":1.10}}')))
        raw = await soon(s.wire.next_sent())
        assert b'{"n":1.10}' in raw
        assert b"clientCapabilities" in raw


async def test_the_log_level_goes_with_each_request_and_needs_none_of_its_own() -> None:
    """2026-07-28 server/utilities/logging."""
    async with opened() as s:
        assert await soon(s.session.set_log_level("debug")) is None
        await soon(s.session.request("tools/call", {"name": "x"}))
        assert meta_of(await s.client())[f"{META}logLevel"] == "debug"
        assert s.session.state.log_level == "debug"


async def test_a_version_error_is_followed_once_and_only_once() -> None:
    """2026-07-28 basic/versioning: retry with a version out of `data.supported`."""
    async with scene(SPEAKS_MODERN) as s:
        opening = s.begin(s.session.open())
        for _ in range(2):
            asked = await s.client()
            assert asked["method"] == "server/discover"
            assert isinstance(asked["id"], int)
            s.server(error(asked["id"], -32022, "no", {"supported": ["2026-07-28"]}))
        await join(opening)
        assert isinstance(s.session.state.error, ConnectionFailed)
        assert s.quiet()


async def test_a_version_error_that_names_nothing_we_speak_ends_it() -> None:
    async with scene(SPEAKS_MODERN) as s:
        opening = s.begin(s.session.open())
        asked = await s.client()
        assert isinstance(asked["id"], int)
        s.server(error(asked["id"], -32022, "no", {"supported": ["2027-01-01"]}))
        await join(opening)
        problem = s.session.state.error
        assert isinstance(problem, ConnectionFailed)
        assert "2027-01-01" in problem.message
        assert s.quiet()


async def test_a_server_of_the_other_era_is_named_with_what_to_do() -> None:
    async with scene(SPEAKS_MODERN) as s:
        opening = s.begin(s.session.open())
        asked = await s.client()
        assert isinstance(asked["id"], int)
        s.server(result(asked["id"], discovered("2025-11-25")))
        await join(opening)
        problem = s.session.state.error
        assert problem is not None
        assert "2025-11-25" in problem.message
        assert "--protocol handshake" in problem.hint


async def test_a_server_without_discover_is_tried_all_the_same_when_pinned() -> None:
    async with scene(SPEAKS_MODERN) as s:
        opening = s.begin(s.session.open())
        asked = await s.client()
        assert isinstance(asked["id"], int)
        s.server(error(asked["id"], -32601, "no such method"))
        s.server(error(await initialize_asked(s), -32601, "no such method"))
        await join(opening)
        state = s.session.state
        assert state.ready
        assert state.declares("tools")
        assert "no server/discover" in state.why
        assert state.offered == "2026-07-28"
        assert "roots" in state.client_capabilities
        assert state.client_capabilities["roots"] == {}
        assert s.session.era is Era.MODERN
        call, sent = await s.call()
        assert "_meta" in str(sent["params"])
        assert isinstance(await s.answer(call, {"content": []}), Success)


async def initialize_asked(s: Scene) -> int:
    """Takes the `initialize` that a refusal of `server/discover` leads to; its id."""
    sent = await s.client()
    assert sent["method"] == "initialize"
    assert isinstance(sent["id"], int)
    return sent["id"]


@pytest.mark.parametrize("code", [-32601, -32602, -32000])
async def test_what_an_older_server_speaks_is_asked_and_told_where_modern_is_pinned(
    code: int,
) -> None:
    async with scene(SPEAKS_MODERN) as s:
        opening = s.begin(s.session.open())
        asked = await s.client()
        assert isinstance(asked["id"], int)
        s.server(error(asked["id"], code, "what?"))
        s.server(result(await initialize_asked(s), initialized("2025-06-18")))
        await join(opening)
        problem = s.session.state.error
        assert isinstance(problem, ConnectionFailed)
        assert problem.kind == "era"
        assert "2026-07-28" in problem.message
        assert "but 2025-06-18" in problem.message
        assert str(code) in problem.message
        assert "--protocol 2025-06-18" in problem.hint
        assert "--protocol auto" in problem.hint
        assert Flag.PROBE in s.journal.row(s.session.calls[-1].entry).flags
        assert s.quiet()


async def test_a_refusal_by_http_leads_to_the_same_question() -> None:
    """A server of HTTP+SSE answers a POST on its URL with 405."""
    async with scene(SPEAKS_MODERN) as s:
        opening = s.begin(s.session.open())
        asked = await s.client()
        assert isinstance(asked["id"], int)
        said = "HTTP 405 Method Not Allowed in answer to server/discover: <!DOCTYPE html>"
        refusal = ConnectionFailed(said, kind="http")
        s.session.engine.failed(asked["id"], refusal, None)
        s.server(result(await initialize_asked(s), initialized("2024-11-05")))
        await join(opening)
        problem = s.session.state.error
        assert isinstance(problem, ConnectionFailed)
        assert "but 2024-11-05" in problem.message
        assert "HTTP 405" in problem.message
        assert "DOCTYPE" not in problem.message


@pytest.mark.parametrize("kind", ["auth", "dns", "timeout"])
async def test_what_says_nothing_of_eras_leads_to_no_question(kind: str) -> None:
    async with scene(SPEAKS_MODERN) as s:
        opening = s.begin(s.session.open())
        asked = await s.client()
        assert isinstance(asked["id"], int)
        s.session.engine.failed(asked["id"], ConnectionFailed("no way", kind=kind), None)
        await join(opening)
        assert s.session.state.error is not None
        assert s.session.state.error.kind == kind
        assert s.quiet()


async def test_a_refusal_is_told_as_it_is_where_initialize_is_refused_too() -> None:
    async with scene(SPEAKS_MODERN) as s:
        opening = s.begin(s.session.open())
        asked = await s.client()
        assert isinstance(asked["id"], int)
        s.server(error(asked["id"], -32603, "broken"))
        s.server(error(await initialize_asked(s), -32603, "broken too"))
        await join(opening)
        problem = s.session.state.error
        assert isinstance(problem, ConnectionFailed)
        assert "-32603 broken" in problem.message
        assert "too" not in problem.message


async def test_a_request_of_the_server_is_shown_and_never_answered() -> None:
    """2026-07-28 basic: only clients send requests."""
    async with opened() as s:
        number = s.server(request(7, "ping"))
        await s.settle()
        assert s.quiet()
        assert b"request-not-answered" in s.journal.body(number + 1)


@pytest.mark.parametrize("kind", ["later", 3, {}])
async def test_an_unknown_result_type_is_no_result(kind: Json) -> None:
    """2026-07-28 basic: a resultType that a client does not know is invalid."""
    async with opened() as s:
        call, _ = await s.call()
        outcome = await s.answer(call, {"resultType": kind, "content": []})
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, PeerViolation)
        assert "resultType" in outcome.error.message


async def test_a_result_without_a_type_is_complete() -> None:
    async with opened() as s:
        call, _ = await s.call()
        assert isinstance(await s.answer(call, {"content": []}), Success)


async def test_only_three_methods_may_be_answered_with_a_question() -> None:
    """2026-07-28 basic/patterns/mrtr."""
    async with opened() as s:
        call = await soon(s.session.request("completion/complete", {}, force=True))
        await s.client()
        outcome = await s.answer(call, {"resultType": "input_required", "requestState": "s"})
        assert isinstance(outcome, Lost)
        assert "tools/call" in outcome.error.message


async def test_off_http_a_call_is_withdrawn_by_a_notification() -> None:
    """2026-07-28 basic/patterns/cancellation."""
    async with opened() as s:
        call, _ = await s.call()
        await soon(call.cancel("enough"))
        said = await s.client()
        assert said["method"] == "notifications/cancelled"
        assert said["params"] == {"requestId": call.id, "reason": "enough"}


def test_headers_repeat_method_name_and_marked_arguments() -> None:
    """2026-07-28 basic/transports/streamable-http."""
    marks = HeaderParams((HeaderParam("Region", ("region",)),))
    modern = Modern(SPEAKS_MODERN, lambda tool: marks if tool == "find" else HeaderParams())
    called = modern.frame(1, "tools/call", {"name": "find", "arguments": {"region": "eu"}}, None)
    assert called.headers == (
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "find"),
        ("Mcp-Param-Region", "eu"),
    )
    assert dict(modern.frame(2, "resources/read", {"uri": "x://ü"}, None).headers)["Mcp-Name"] == (
        "=?base64?eDovL8O8?="
    )
    assert dict(modern.frame(3, "tasks/get", {"taskId": "t1"}, None).headers)["Mcp-Name"] == "t1"
    assert "Mcp-Name" not in dict(modern.frame(4, "tools/list", None, None).headers)


def test_the_version_header_is_what_the_body_says() -> None:
    modern = Modern(SPEAKS_MODERN)
    mine: JsonObject = {"_meta": {f"{META}protocolVersion": "2099-01-01"}}
    assert modern.headers("tools/list", mine)[0] == ("MCP-Protocol-Version", "2099-01-01")
