"""The session as front ends use it: what was negotiated is checked, features say what happened."""

import pytest

from inspector.errors import InspectorError, PeerViolation, Undeclared, UsageError
from inspector.journal.entries import Flag
from inspector.session.options import Advertise, Options
from inspector.session.pending import Success
from inspector.session.roots import Root
from inspector.session.state import Phase
from tests.session.scene import error, join, ready, result, scene, soon


@pytest.mark.parametrize(
    ("method", "missing"),
    [
        ("tools/call", "tools"),
        ("resources/subscribe", "resources.subscribe"),
        ("logging/setLevel", "logging"),
        ("completion/complete", "completions"),
        ("tasks/list", "tasks.list"),
    ],
)
async def test_what_was_not_negotiated_is_sent_only_by_force(method: str, missing: str) -> None:
    """2025-11-25 basic/lifecycle, operation: only negotiated capabilities."""
    async with ready({"resources": {"subscribe": False}}) as s:
        with pytest.raises(UsageError, match=rf"capability {missing},"):
            await s.session.request(method, {})
        assert s.quiet()
        call = await soon(s.session.request(method, {}, force=True))
        await s.client()
        assert call.forced
        assert Flag.FORCED in s.journal.row(call.entry).flags


async def test_what_the_user_permits_is_sent_from_then_on_and_marked() -> None:
    """2025-11-25 basic/lifecycle: only negotiated capabilities; a debugger may have to."""
    async with ready({}) as s:
        with pytest.raises(Undeclared) as refused:
            await s.session.request("prompts/list")
        s.session.permitted |= {refused.value.what}
        call = await soon(s.session.request("prompts/list"))
        await s.client()
        assert Flag.FORCED in s.journal.row(call.entry).flags
        with pytest.raises(Undeclared):
            await s.session.request("prompts/get", {"name": "x"})
        with pytest.raises(Undeclared) as refused:
            await s.session.call_tool("x", task=1)
        s.session.permitted |= {refused.value.what, "tools/call"}
        await soon(s.session.call_tool("x", task=1))
        assert "task" in str(await s.client())


async def test_completion_needs_no_capability_in_the_first_revision() -> None:
    """2024-11-05 has no completions capability."""
    async with ready({}, revision="2024-11-05") as s:
        assert s.session.undeclared("completion/complete") == ""
        assert "not part of 2024-11-05" in s.session.undeclared("tasks/list")


async def test_methods_that_no_revision_knows_are_sent_as_they_stand() -> None:
    async with ready({}) as s:
        await soon(s.session.request("my/own", {"a": 1}, progress=False))
        assert await s.client() == {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "my/own",
            "params": {"a": 1},
        }


async def test_nothing_can_be_sent_before_or_after_the_session() -> None:
    async with scene() as s:
        with pytest.raises(UsageError, match="the session is idle"):
            await s.session.request("ping")
        await s.open()
        await soon(s.session.close())
        with pytest.raises(UsageError, match="the session is closed"):
            await s.session.request("ping")
        with pytest.raises(UsageError, match="the session is closed"):
            await s.session.notify("notifications/x")
        with pytest.raises(UsageError, match="the session is closed"):
            await s.session.send_raw(b"{}")
        assert s.session.state.error is None


async def test_closing_fails_what_is_open() -> None:
    async with ready() as s:
        call, _ = await s.call()
        await soon(s.session.close())
        assert call.done
        assert s.session.state.phase is Phase.CLOSED
        assert s.session.pending == ()


async def test_ping_measures_and_remembers() -> None:
    """2025-11-25 basic/utilities/ping."""
    async with ready() as s:
        pinging = s.begin(s.session.ping())
        assert await s.client() == {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        s.server(result(2, {}))
        seconds = await join(pinging)
        assert s.session.pings == (seconds,)
        refused = s.begin(_caught(s.session.ping()))
        await s.client()
        s.server(error(3, -32601, "no"))
        assert isinstance(await join(refused), PeerViolation)


async def _caught(work: object) -> InspectorError | None:
    try:
        await work  # type: ignore[misc]
    except InspectorError as found:
        return found
    return None


async def test_the_log_level_is_remembered_once_the_server_agreed() -> None:
    """2025-11-25 server/utilities/logging."""
    async with ready() as s:
        setting = s.begin(s.session.set_log_level("warning"))
        assert (await s.client())["params"] == {"level": "warning"}
        assert s.session.state.log_level is None
        s.server(result(2, {}))
        await join(setting)
        assert s.session.state.log_level == "warning"


async def test_prompts_and_resources_are_asked_for_by_name_and_uri() -> None:
    async with ready() as s:
        prompt = await soon(s.session.get_prompt("p", {"a": "1"}))
        sent = await s.client()
        assert sent["params"] == {
            "name": "p",
            "arguments": {"a": "1"},
            "_meta": {"progressToken": prompt.id},
        }
        read = await soon(s.session.read_resource("x://y"))
        assert read.label == "x://y"
        await s.client()


async def test_extra_meta_travels_beside_the_progress_token() -> None:
    async with ready() as s:
        await soon(s.session.call_tool("t", None, extra_meta={"traceparent": "00-a-b-01"}))
        assert (await s.client())["params"] == {
            "name": "t",
            "_meta": {"progressToken": 2, "traceparent": "00-a-b-01"},
        }


async def test_new_roots_are_announced_where_that_was_declared() -> None:
    """2025-11-25 client/roots."""
    async with ready() as s:
        await soon(s.session.set_roots([Root("file:///a")]))
        assert (await s.client())["method"] == "notifications/roots/list_changed"
        with pytest.raises(UsageError):
            await s.session.set_roots([Root("https://a.test/")])
        assert s.session.roots == (Root("file:///a"),)
    async with ready(options=Options(advertise=Advertise(roots_list_changed=False))) as s:
        await soon(s.session.set_roots([Root("file:///a")]))
        assert s.quiet()


async def test_completion_sends_the_context_and_returns_the_suggestions() -> None:
    """2025-11-25 server/utilities/completion."""
    async with ready() as s:
        asking = s.begin(
            s.session.complete({"type": "ref/prompt", "name": "p"}, "b", "x", {"a": "1"})
        )
        assert (await s.client())["params"] == {
            "ref": {"type": "ref/prompt", "name": "p"},
            "argument": {"name": "b", "value": "x"},
            "context": {"arguments": {"a": "1"}},
        }
        s.server(result(2, {"completion": {"values": ["xa", "xb"], "total": 5, "hasMore": True}}))
        found = await join(asking)
        assert (found.values, found.total, found.has_more) == (("xa", "xb"), 5, True)


async def test_retrying_an_unknown_call_is_a_mistake_of_ours() -> None:
    async with ready() as s:
        with pytest.raises(UsageError):
            await s.session.retry(77)


async def test_the_transport_is_shown_as_it_is_now() -> None:
    async with ready() as s:
        assert s.session.transport.state == "open"
        call, _ = await s.call()
        assert isinstance(await s.answer(call, {}), Success)
        await soon(s.session.close())
        assert s.session.transport.state == "closed"
