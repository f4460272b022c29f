"""Opening a session: the handshake, its retries and its refusals, as transcripts."""

import pytest

from inspector.errors import ConnectionFailed, PeerViolation, UsageError
from inspector.protocol.messages import Json, JsonObject, RawJson, encode_json
from inspector.protocol.versions import Revision
from inspector.session.negotiate import Handshake, label_of, pinned_revision, with_meta
from inspector.session.options import Advertise, Options, own_version
from inspector.session.state import Phase
from inspector.transport.base import Closed
from tests.session.scene import error, initialized, join, ready, request, result, scene, soon


async def test_the_handshake_offers_the_newest_revision_and_says_so() -> None:
    """2025-11-25 basic/lifecycle, initialization."""
    async with scene() as s:
        opening = s.begin(s.session.open())
        assert await s.client() == {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": {
                    "roots": {"listChanged": True},
                    "sampling": {},
                    "elicitation": {"form": {}, "url": {}},
                },
                "clientInfo": {
                    "name": "mcp-inspect",
                    "version": own_version(),
                    "title": "mcp-inspect",
                },
            },
        }
        assert s.session.state.phase is Phase.NEGOTIATING
        raw = encode_json(initialized())
        s.server(b'{"jsonrpc":"2.0","id":1,"result":' + raw + b"}")
        assert await s.client() == {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await join(opening)
        state = s.session.state
        assert state.phase is Phase.READY
        assert state.revision is Revision.V2025_11_25
        assert state.why == "Offered 2025-11-25; the server agreed."
        assert state.server_info == {"name": "scripted", "version": "1"}
        assert state.instructions == "Be kind."
        assert state.initialize_raw == raw
        assert state.declares("resources", "subscribe")
        assert s.wire.revision is Revision.V2025_11_25


async def test_an_older_revision_that_we_know_is_accepted() -> None:
    """2025-11-25 basic/lifecycle, version negotiation."""
    async with scene() as s:
        await s.open("2024-11-05", {"tools": {}})
        assert s.session.state.revision is Revision.V2024_11_05
        assert "the server answered 2024-11-05, an older one" in s.session.state.why


async def test_a_pinned_revision_is_offered_with_only_what_it_defines() -> None:
    """2024-11-05 has neither elicitation nor clientInfo.title."""
    async with scene(Options(protocol="2024-11-05")) as s:
        opening = s.begin(s.session.open())
        params = (await s.client())["params"]
        assert isinstance(params, dict)
        assert params["protocolVersion"] == "2024-11-05"
        assert params["capabilities"] == {"roots": {"listChanged": True}, "sampling": {}}
        assert "title" not in str(params["clientInfo"])
        s.server(result(1, initialized("2024-11-05")))
        await s.client()
        await join(opening)
        assert s.session.state.why.startswith("Offered 2024-11-05 as chosen")


@pytest.mark.parametrize("answered", ["2024-11-05", "2025-11-25"])
async def test_a_pinned_revision_is_spoken_or_none_is(answered: str) -> None:
    async with scene(Options(protocol="2025-06-18")) as s:
        opening = s.begin(s.session.open())
        await s.client()
        s.server(result(1, initialized(answered)))
        await join(opening)
        failed = s.session.state.error
        assert isinstance(failed, ConnectionFailed)
        assert failed.kind == "version"
        assert "2025-06-18" in failed.message
        assert answered in failed.message


async def test_a_refused_pin_is_not_replaced_by_what_the_server_names() -> None:
    async with scene(Options(protocol="2025-06-18")) as s:
        opening = s.begin(s.session.open())
        await s.client()
        s.server(error(1, -32602, "Unsupported protocol version", {"supported": ["2025-03-26"]}))
        await join(opening)
        assert isinstance(s.session.state.error, ConnectionFailed)
        assert "2025-06-18" in s.session.state.error.message
        assert "2025-03-26" in s.session.state.error.message


async def test_a_newer_revision_than_offered_is_taken_and_told() -> None:
    async with scene() as s:
        opening = s.begin(s.session.open())
        await s.client()
        s.server(error(1, -32602, "Unsupported protocol version", {"supported": ["2024-11-05"]}))
        await s.client()
        s.server(result(2, initialized("2025-06-18")))
        await s.client()
        await join(opening)
        assert "a newer one than offered that we speak too" in s.session.state.why


async def test_invalid_params_that_name_supported_revisions_are_retried_once() -> None:
    """2025-11-25 basic/lifecycle, error handling: -32602 with data.supported."""
    async with scene() as s:
        opening = s.begin(s.session.open())
        await s.client()
        supported: Json = {"supported": ["2024-11-05", "2025-03-26", "1999-01-01"]}
        s.server(error(1, -32602, "Unsupported protocol version", supported))
        second = await s.client()
        assert second["id"] == 2
        assert isinstance(second["params"], dict)
        assert second["params"]["protocolVersion"] == "2025-03-26"
        s.server(result(2, initialized("2025-03-26")))
        await s.client()
        await join(opening)
        assert s.session.state.why == (
            "The server refused 2025-11-25 and named 2025-03-26; the server agreed."
        )


async def test_no_common_revision_ends_the_session_and_shows_both_sides() -> None:
    async with scene() as s:
        opening = s.begin(s.session.open())
        await s.client()
        s.server(error(1, -32602, "Unsupported protocol version", {"supported": ["1.0"]}))
        await join(opening)
        failed = s.session.state.error
        assert s.session.state.phase is Phase.FAILED
        assert isinstance(failed, ConnectionFailed)
        assert "the server speaks 1.0" in failed.message
        assert "2025-11-25" in failed.message


@pytest.mark.parametrize("answered", ["2099-01-01", "2026-07-28"])
async def test_an_answer_that_we_do_not_speak_disconnects_and_shows_both(answered: str) -> None:
    """2025-11-25 basic/lifecycle: the client SHOULD disconnect; 2026-07-28 has no initialize."""
    async with scene() as s:
        opening = s.begin(s.session.open())
        await s.client()
        s.server(result(1, initialized(answered)))
        await join(opening)
        failed = s.session.state.error
        assert isinstance(failed, ConnectionFailed)
        assert failed.kind == "version"
        assert "we offered 2025-11-25" in failed.message
        assert answered in failed.message
        assert s.wire.facts.state == "closed"
        assert s.quiet()


@pytest.mark.parametrize("body", [[], "ok", {}, {"protocolVersion": 7}])
async def test_an_answer_of_the_wrong_shape_is_the_servers_fault(body: Json) -> None:
    async with scene() as s:
        opening = s.begin(s.session.open())
        await s.client()
        s.server(result(1, body))
        await join(opening)
        assert isinstance(s.session.state.error, PeerViolation)


async def test_an_error_without_an_id_can_only_answer_initialize() -> None:
    """Servers that cannot read the request answer with id null; nothing else is open then."""
    async with scene() as s:
        opening = s.begin(s.session.open())
        await s.client()
        s.server(error(None, -32600, "Invalid Request"))
        await join(opening)
        assert s.session.state.error is not None
        assert "-32600 Invalid Request" in s.session.state.error.message


async def test_before_initialize_is_over_only_ping_is_answered() -> None:
    """2025-11-25 basic/lifecycle: the server SHOULD NOT send anything but pings and logging."""
    async with scene(Options(roots=())) as s:
        opening = s.begin(s.session.open())
        await s.client()
        s.server(request(1, "ping"))
        assert await s.client() == {"jsonrpc": "2.0", "id": 1, "result": {}}
        s.server(request(2, "roots/list"))
        refusal = await s.client()
        assert refusal["id"] == 2
        assert isinstance(refusal["error"], dict)
        assert refusal["error"]["code"] == -32600
        s.server(result(1, initialized()))
        await s.client()
        await join(opening)
        assert s.session.inbox.asks == ()


async def test_a_server_that_exits_before_it_answers_says_how() -> None:
    async with scene() as s:
        opening = s.begin(s.session.open())
        await s.client()
        s.wire.end(Closed("the server exited", exit_code=3, stderr_tail=("Traceback", "boom")))
        await join(opening)
        failed = s.session.state.error
        assert s.session.state.phase is Phase.FAILED
        assert failed is not None
        assert failed.message == "the server exited (exit code 3)"
        assert failed.hint.endswith("boom")


async def test_initialize_that_is_never_answered_times_out_and_is_not_cancelled() -> None:
    """2025-11-25 basic/utilities/cancellation: initialize MUST NOT be cancelled."""
    async with scene(Options(connect_timeout=0.05)) as s:
        await soon(s.session.open())
        assert s.session.state.error is not None
        assert s.session.state.error.kind == "timeout"
        assert [sent.method for sent in s.wire.sent] == ["initialize"]


async def test_switched_off_capabilities_are_not_declared_and_refused() -> None:
    """basic/lifecycle: a server may use only what was negotiated."""
    off = Advertise(sampling=False, roots=False, elicitation_url=False)
    async with ready(options=Options(advertise=off)) as s:
        assert s.session.state.client_capabilities == {"elicitation": {"form": {}}}
        s.server(request("a", "sampling/createMessage", messages=[], maxTokens=1))
        refusal = await s.client()
        assert isinstance(refusal["error"], dict)
        assert refusal["error"]["code"] == -32601
        s.server(request("b", "elicitation/create", mode="url", url="https://x.test", message="m"))
        refusal = await s.client()
        assert isinstance(refusal["error"], dict)
        assert refusal["error"]["code"] == -32602


@pytest.mark.parametrize("choice", ["1.0", "newest", "2026-07-29"])
def test_a_protocol_that_we_do_not_speak_is_a_usage_error(choice: str) -> None:
    with pytest.raises(UsageError):
        Handshake(Options(protocol=choice))


def test_protocol_choices_name_a_revision_or_the_newest() -> None:
    assert pinned_revision("auto") is None
    assert pinned_revision("modern") is Revision.V2026_07_28
    assert pinned_revision("handshake") is None
    assert pinned_revision("2025-03-26") is Revision.V2025_03_26


def test_meta_is_merged_and_what_the_user_wrote_wins() -> None:
    meta: dict[str, str] = {"progressToken": "mine", "x": "y"}
    assert with_meta({"a": 1, "_meta": meta}, {"progressToken": 4}) == {
        "a": 1,
        "_meta": {"progressToken": "mine", "x": "y"},
    }
    assert with_meta(None, {"progressToken": 4}) == {"_meta": {"progressToken": 4}}


def test_raw_parameters_are_left_alone() -> None:
    raw = RawJson(b'{"a":  1}')
    assert with_meta(raw, {"progressToken": 4}) is raw
    assert with_meta({"_meta": RawJson(b"{}")}, {"progressToken": 4}) == {"_meta": RawJson(b"{}")}


def test_a_request_is_labelled_by_what_it_names() -> None:
    params: JsonObject = {"name": "add"}
    assert label_of("tools/call", params) == "add"
    assert label_of("resources/read", {"uri": "x:y"}) == "x:y"
    assert label_of("tools/list", params) == ""
    assert label_of("tools/call", {"name": 3}) == ""
