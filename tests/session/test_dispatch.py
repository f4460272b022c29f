"""What a server asks or announces gets to the part that it concerns, and nothing is answered that
must not be."""

import pytest

from inspector.protocol.messages import Json, JsonObject
from inspector.session.options import Advertise, Options
from tests.session.scene import (
    Scene,
    initialized,
    join,
    notification,
    ready,
    request,
    result,
    scene,
)


def request_id(message: JsonObject) -> int:
    """The id of a request that the client sent."""
    found = message["id"]
    assert isinstance(found, int)
    return found


async def refused(s: Scene, request_id: int, code: int) -> str:
    """The message of the refusal that the client sends."""
    answer = await s.client()
    assert answer["id"] == request_id
    assert isinstance(answer["error"], dict)
    assert answer["error"]["code"] == code
    return str(answer["error"]["message"])


async def test_ping_is_answered_at_once_with_an_empty_result() -> None:
    """2025-11-25 basic/utilities/ping."""
    async with ready() as s:
        s.server(request("p", "ping"))
        assert await s.client() == {"jsonrpc": "2.0", "id": "p", "result": {}}
        assert s.session.inbox.asks == ()


@pytest.mark.parametrize("method", ["tools/list", "x/y", "", "tasks/get", "initialize"])
async def test_an_unknown_request_is_refused(method: str) -> None:
    """JSON-RPC: method not found."""
    async with ready() as s:
        s.server(request(1, method))
        assert method in await refused(s, 1, -32601)


async def test_a_request_right_behind_the_answer_to_initialize_is_answered_once_open() -> None:
    """2025-11-25 basic/lifecycle: what the server sends behind its answer may be read before we
    had the time to send `initialized`; it goes out first all the same."""
    async with scene() as s:
        opening = s.begin(s.session.open())
        hello = await s.client()
        s.server(result(request_id(hello), initialized()))
        s.server(request("r", "roots/list"))
        s.server(request("gone", "sampling/createMessage", messages=[], maxTokens=1))
        s.server(notification("notifications/cancelled", requestId="gone"))
        s.server(request("p", "ping"))
        await join(opening)
        sent = [await s.client() for _ in range(3)]
        assert sorted(str(m.get("id", m.get("method"))) for m in sent) == [
            "notifications/initialized",
            "p",
            "r",
        ]
        order = [m.get("id", m.get("method")) for m in sent]
        assert order.index("notifications/initialized") < order.index("r")
        assert sent[order.index("r")]["result"] == {"roots": []}
        assert s.session.inbox.open == ()


async def test_a_request_before_the_answer_to_initialize_is_refused() -> None:
    async with scene() as s:
        opening = s.begin(s.session.open())
        hello = await s.client()
        s.server(request(9, "roots/list"))
        assert "before initialize was over" in await refused(s, 9, -32600)
        s.server(result(request_id(hello), initialized()))
        await join(opening)


async def test_sampling_with_tools_is_refused_unless_declared() -> None:
    """2025-11-25 client/sampling: tools need sampling.tools."""
    async with ready() as s:
        s.server(request(1, "sampling/createMessage", messages=[], maxTokens=1, tools=[]))
        assert "sampling.tools" in await refused(s, 1, -32602)
    async with ready(options=Options(advertise=Advertise(sampling_tools=True))) as s:
        s.server(request(1, "sampling/createMessage", messages=[], maxTokens=1, tools=[]))
        assert s.session.inbox.open_count == 1


async def test_before_tools_were_defined_for_sampling_a_member_of_that_name_refuses_nothing() -> (
    None
):
    """2025-06-18 schema, CreateMessageRequest: params are open, and have no tools."""
    async with ready(revision="2025-06-18") as s:
        s.server(request(1, "sampling/createMessage", messages=[], maxTokens=1, tools=[]))
        assert s.session.inbox.open_count == 1


@pytest.mark.parametrize(
    ("revision", "mode", "kind"),
    [
        ("2025-06-18", None, "elicitation"),
        ("2025-11-25", None, "elicitation"),
        ("2025-11-25", "form", "elicitation"),
        ("2025-11-25", "url", "elicitation-url"),
    ],
)
async def test_the_mode_of_an_elicitation_decides_its_kind(
    revision: str, mode: str | None, kind: str
) -> None:
    """2025-11-25 client/elicitation: an absent mode means form."""
    async with ready(revision=revision, options=Options(protocol=revision)) as s:
        named: dict[str, Json] = {"mode": mode} if mode else {}
        s.server(request(1, "elicitation/create", message="?", **named))
        assert [ask.kind for ask in s.session.inbox.open] == [kind]


async def test_an_elicitation_mode_that_was_not_declared_is_refused() -> None:
    async with ready(revision="2025-06-18", options=Options(protocol="2025-06-18")) as s:
        s.server(request(1, "elicitation/create", message="?", mode="url", url="https://x.test"))
        assert "'url'" in await refused(s, 1, -32602)
        s.server(request(2, "elicitation/create", message="?", mode=7))
        assert "7" in await refused(s, 2, -32602)


async def test_notifications_are_never_answered_known_or_not() -> None:
    """JSON-RPC: a receiver MUST NOT send a response."""
    async with ready() as s:
        for method in (
            "notifications/unheard/of",
            "notifications/progress",
            "notifications/cancelled",
            "notifications/message",
            "notifications/resources/updated",
            "notifications/tasks/status",
            "notifications/elicitation/complete",
            "notifications/tools/list_changed",
            "ping",
        ):
            s.server(notification(method))
            s.server({"jsonrpc": "2.0", "method": method})
            s.server({"jsonrpc": "2.0", "method": method, "params": []})
        await s.settle()
        assert s.quiet()
        assert s.session.state.ready


async def test_absurd_progress_is_ignored() -> None:
    async with ready() as s:
        call, _ = await s.call()
        absurd: list[Json] = ["1", None, True, 10**400, [1]]
        for value in absurd:
            s.server(notification("notifications/progress", progressToken=2, progress=value))
        assert call.progress is None
        await s.answer(call, {})


async def test_a_log_on_a_calls_own_stream_is_noted_with_the_call() -> None:
    async with ready() as s:
        call, _ = await s.call()
        number = s.server(
            notification("notifications/message", level="info", data=1), about=call.id
        )
        s.server(notification("notifications/message", level="info", data=2))
        assert call.logs == (number,)
        assert s.session.logs.total == 2


async def test_an_expired_session_is_reported_to_the_owner() -> None:
    """2025-11-25 basic/transports: 404 on the session id."""
    async with ready() as s:
        s.wire.expire()
        assert s.expired == [s.session]
