"""Asks open, are answered once, and are withdrawn; each knows its cause where that is known."""

import pytest

from inspector.errors import UsageError
from inspector.protocol.messages import Json, JsonObject
from inspector.session.asks import Ask, Policy, PolicyMode
from inspector.session.inbox import OPEN_LIMIT
from inspector.session.options import Options
from inspector.session.pending import Failure
from inspector.session.roots import Root
from inspector.session.tasks import RELATED
from inspector.transport.base import Closed
from tests.session.scene import Scene, error, notification, ready, request, result, soon

FORM: JsonObject = {"type": "object", "properties": {"n": {"type": "integer", "default": 3}}}


def ask_of(s: Scene) -> Ask:
    """The newest ask."""
    return s.session.inbox.asks[-1]


async def test_an_elicitation_waits_for_a_person_and_the_content_goes_out() -> None:
    """2025-11-25 client/elicitation."""
    async with ready() as s:
        call, _ = await s.call()
        number = s.server(request("e", "elicitation/create", message="n?", requestedSchema=FORM))
        ask = await soon(s.session.inbox.wait_open())
        assert (ask.kind, ask.entry, ask.cause) == ("elicitation", number, call.number)
        assert ask.cause_from == "only-call"
        await soon(s.session.inbox.accept(ask.number, {"n": 7}))
        assert await s.client() == {
            "jsonrpc": "2.0",
            "id": "e",
            "result": {"action": "accept", "content": {"n": 7}},
        }
        assert ask_of(s).state == "answered"
        assert ask_of(s).answer == {"action": "accept", "content": {"n": 7}}
        assert s.transcript() == [
            "→ request tools/call",
            "← request elicitation/create",
            "→ result elicitation/create",
        ]
        await s.answer(call, {})


async def test_nobody_can_answer_an_ask_twice() -> None:
    async with ready() as s:
        s.server(request("e", "elicitation/create", message="?", requestedSchema={}))
        await soon(s.session.inbox.decline(1))
        assert (await s.client())["result"] == {"action": "decline"}
        with pytest.raises(UsageError, match="was declined already"):
            await s.session.inbox.accept(1, {})
        with pytest.raises(UsageError, match="not known"):
            await s.session.inbox.cancel(99)
        assert s.quiet()


async def test_sampling_is_answered_whole_or_rejected_with_minus_one() -> None:
    """2025-11-25 client/sampling, error handling."""
    async with ready() as s:
        s.server(request(1, "sampling/createMessage", messages=[], maxTokens=5))
        with pytest.raises(UsageError):
            await s.session.inbox.accept(1)
        message: JsonObject = {
            "role": "assistant",
            "content": {"type": "text", "text": "hi"},
            "model": "me",
        }
        await soon(s.session.inbox.accept(1, message))
        assert (await s.client())["result"] == message
        s.server(request(2, "sampling/createMessage", messages=[], maxTokens=5))
        await soon(s.session.inbox.decline(2, "not now"))
        assert (await s.client())["error"] == {"code": -1, "message": "not now"}
        s.server(request(3, "sampling/createMessage", messages=[], maxTokens=5))
        await soon(s.session.inbox.refuse(3, -32603, "broken"))
        assert (await s.client())["error"] == {"code": -32603, "message": "broken"}


async def test_a_debugger_may_answer_with_anything() -> None:
    async with ready() as s:
        s.server(request(1, "elicitation/create", message="?", requestedSchema={}))
        await soon(s.session.inbox.answer_raw(1, ["not", "an", "object"]))
        assert (await s.client())["result"] == ["not", "an", "object"]


async def test_roots_are_answered_at_once_with_the_configured_ones() -> None:
    """2025-11-25 client/roots."""
    roots = (Root("file:///srv/a", "a"), Root("file:///srv/b"))
    async with ready(options=Options(roots=roots)) as s:
        s.server(request("r", "roots/list"))
        assert (await s.client())["result"] == {
            "roots": [{"uri": "file:///srv/a", "name": "a"}, {"uri": "file:///srv/b"}]
        }
        assert ask_of(s).state == "automatic"
        assert ask_of(s).note == "by policy: answer"


async def test_a_policy_can_make_roots_a_question_too() -> None:
    async with ready(options=Options(roots=(Root("file:///a"),))) as s:
        s.session.inbox.set_policy("roots", Policy("ask"))
        s.server(request("r", "roots/list"))
        ask = await soon(s.session.inbox.wait_open())
        await soon(s.session.inbox.accept(ask.number))
        assert (await s.client())["result"] == {"roots": [{"uri": "file:///a"}]}


async def test_accept_defaults_fills_in_what_the_schema_says() -> None:
    """2025-11-25 client/elicitation: defaults."""
    policies = {"elicitation": Policy("accept-defaults")}
    async with ready(options=Options(policies=policies)) as s:  # type: ignore[arg-type]
        s.server(request("e", "elicitation/create", message="?", requestedSchema=FORM))
        assert (await s.client())["result"] == {"action": "accept", "content": {"n": 3}}


async def test_the_server_withdraws_its_request_and_gets_no_answer() -> None:
    """2025-11-25 basic/utilities/cancellation: no response to a cancelled request."""
    async with ready() as s:
        call, _ = await s.call()
        s.server(request(7, "elicitation/create", message="?", requestedSchema={}))
        s.server(notification("notifications/cancelled", requestId="7"))
        assert ask_of(s).is_open, "a string is another id"
        s.server(notification("notifications/cancelled", requestId=7, reason="changed my mind"))
        assert (ask_of(s).state, ask_of(s).note) == ("withdrawn", "changed my mind")
        assert not call.waiting_for_us
        with pytest.raises(UsageError):
            await s.session.inbox.accept(1, {})
        await s.answer(call, {})
        assert s.quiet()


async def test_cancelling_what_is_unknown_or_ours_changes_nothing() -> None:
    async with ready() as s:
        call, _ = await s.call()
        s.server(notification("notifications/cancelled", requestId=call.id))
        s.server(notification("notifications/cancelled", requestId=None))
        assert not call.done
        await s.answer(call, {})


async def test_the_stream_tells_the_cause_where_there_is_one() -> None:
    """2025-11-25 basic/transports: requests on a response stream relate to its request."""
    async with ready() as s:
        first, _ = await s.call()
        second, _ = await s.call()
        s.server(request("a", "elicitation/create", message="?"), about=second.id)
        assert (ask_of(s).cause, ask_of(s).cause_from) == (second.number, "stream")
        assert second.waiting_for_us
        assert not first.waiting_for_us


async def test_with_several_calls_and_one_wire_the_cause_stays_unknown() -> None:
    async with ready() as s:
        first, _ = await s.call()
        second, _ = await s.call()
        s.server(request("a", "elicitation/create", message="?"))
        assert (ask_of(s).cause, ask_of(s).cause_from) == (None, "unknown")
        assert first.waiting_for_us
        assert second.waiting_for_us, "either may be the one that waits"


async def test_listing_and_pinging_cause_no_asks() -> None:
    async with ready() as s:
        call, _ = await s.call("tools/list")
        s.server(request("a", "elicitation/create", message="?"))
        assert (ask_of(s).cause, ask_of(s).cause_from) == (None, "unknown")
        assert not call.waiting_for_us


async def test_the_related_task_tells_the_cause() -> None:
    """2025-11-25 basic/utilities/tasks: related-task metadata."""
    async with ready() as s:
        call = await s.session.call_tool("slow", {}, task=1000)
        sent = await s.client()
        task: JsonObject = {"taskId": "t1", "status": "working", "pollInterval": 60000}
        s.server(result(2, {"task": task}))
        other, _ = await s.call()
        assert sent["id"] == 2
        meta: Json = {RELATED: {"taskId": "t1"}}
        s.server(request("a", "elicitation/create", message="?", _meta=meta))
        assert (ask_of(s).cause, ask_of(s).cause_from) == (call.number, "task")
        await s.answer(other, {})


async def test_a_lost_connection_withdraws_every_ask() -> None:
    async with ready() as s:
        s.server(request("a", "elicitation/create", message="?"))
        s.wire.end(Closed("gone", exit_code=1))
        assert (ask_of(s).state, ask_of(s).note) == ("withdrawn", "the connection is gone")


async def test_url_elicitations_of_an_error_become_asks_and_the_call_can_be_retried() -> None:
    """2025-11-25 client/elicitation: URLElicitationRequiredError (-32042)."""
    async with ready() as s:
        call, sent = await s.call(arguments={"a": 1})
        item: JsonObject = {
            "mode": "url",
            "elicitationId": "e1",
            "url": "https://example.test/login",
            "message": "log in",
        }
        number = s.server(error(2, -32042, "URL elicitation required", {"elicitations": [item]}))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Failure)
        ask = await soon(s.session.inbox.wait_open())
        assert (ask.kind, ask.cause, ask.cause_from) == ("elicitation-url", call.number, "error")
        assert (ask.entry, ask.request_id, ask.elicitation_id) == (number, None, "e1")
        await soon(s.session.inbox.accept(ask.number))
        assert s.quiet(), "consent is not sent: no request is open"
        s.server(notification("notifications/elicitation/complete", elicitationId="e1"))
        s.server(notification("notifications/elicitation/complete", elicitationId="unknown"))
        assert ask_of(s).completed
        retried = await soon(s.session.retry(call.number))
        again = await s.client()
        assert retried.retry_of == call.number
        assert again["id"] == 3
        assert isinstance(again["params"], dict)
        assert isinstance(sent["params"], dict)
        assert again["params"]["arguments"] == sent["params"]["arguments"]
        await s.answer(retried, {})


async def test_the_code_for_urls_means_nothing_in_other_revisions() -> None:
    """2025-06-18 basic: codes from -32000 on are the server's own."""
    async with ready(revision="2025-06-18") as s:
        call, _ = await s.call()
        item: JsonObject = {"mode": "url", "elicitationId": "e", "url": "https://x.test"}
        s.server(error(call.id, -32042, "my own trouble", {"elicitations": [item]}))
        assert isinstance(call.outcome, Failure)
        assert s.session.inbox.asks == ()


async def test_a_url_is_never_accepted_by_a_default() -> None:
    """2025-11-25 client/elicitation: explicit consent."""
    policies = {"elicitation-url": Policy("accept-defaults")}
    async with ready(options=Options(policies=policies)) as s:  # type: ignore[arg-type]
        s.server(request("u", "elicitation/create", mode="url", url="https://x.test", message="m"))
        assert (await s.client())["result"] == {"action": "decline"}


async def test_a_flood_of_asks_is_refused_beyond_a_limit() -> None:
    async with ready() as s:
        for n in range(OPEN_LIMIT + 2):
            s.server(request(n, "elicitation/create", message="?"))
        assert s.session.inbox.open_count == OPEN_LIMIT
        refusal = await s.client()
        assert refusal["id"] == OPEN_LIMIT
        assert isinstance(refusal["error"], dict)
        assert refusal["error"]["code"] == -32603


async def test_an_answer_that_json_cannot_say_leaves_the_ask_open() -> None:
    async with ready() as s:
        s.server(request("e", "elicitation/create", message="?", requestedSchema=FORM))
        with pytest.raises(UsageError, match="as JSON"):
            await s.session.inbox.accept(1, {"n": float("nan")})
        assert ask_of(s).is_open
        await soon(s.session.inbox.accept(1, {"n": 1}))
        assert (await s.client())["result"] == {"action": "accept", "content": {"n": 1}}


@pytest.mark.parametrize("policy", ["ask", "accept-defaults", "decline"])
async def test_an_answer_within_a_task_names_the_task(policy: PolicyMode) -> None:
    """2025-11-25 basic/utilities/tasks: all messages of a task carry its id."""
    related: JsonObject = {RELATED: {"taskId": "t1"}}
    async with ready(options=Options(policies={"elicitation": Policy(policy)})) as s:
        s.server(
            request("e", "elicitation/create", message="?", requestedSchema=FORM, _meta=related)
        )
        if policy == "ask":
            await soon(s.session.inbox.accept(1, {"n": 1}))
        sent = (await s.client())["result"]
        assert isinstance(sent, dict)
        assert sent["_meta"] == related
