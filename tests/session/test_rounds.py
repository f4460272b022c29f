"""Multi round-trip requests (2026-07-28 basic/patterns/mrtr), read as transcripts."""

import time

from inspector.errors import PeerViolation, RequestCancelled
from inspector.protocol.codes import HEADER_MISMATCH, UNSUPPORTED_PROTOCOL_VERSION
from inspector.protocol.messages import Json, JsonObject
from inspector.session.asks import Policy
from inspector.session.options import Options
from inspector.session.pending import Failure, Lost, Success
from inspector.session.rounds import SILENT_ROUNDS
from tests.session.scene import Scene, error, notification, result, soon
from tests.session.test_modern import opened

FORM: JsonObject = {
    "method": "elicitation/create",
    "params": {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}},
}
MODEL: JsonObject = {
    "method": "sampling/createMessage",
    "params": {"messages": [], "maxTokens": 5},
}


def question(**more: Json) -> JsonObject:
    """An `input_required` result."""
    return {"resultType": "input_required", **more}


def params_of(message: JsonObject) -> JsonObject:
    """The parameters of a request, without its `_meta`."""
    params = message["params"]
    assert isinstance(params, dict)
    return {key: value for key, value in params.items() if key != "_meta"}


async def again(s: Scene) -> JsonObject:
    """The next request of the client, which must be another tools/call."""
    message = await s.client()
    assert message["method"] == "tools/call"
    return message


async def test_the_answers_go_out_with_the_same_parameters_under_a_new_id() -> None:
    async with opened() as s:
        call, first = await s.call(arguments={"a": 1})
        requests: JsonObject = {"who": FORM, "what": MODEL}
        s.server(result(call.id, question(inputRequests=requests, requestState="s\u00e9 1.10")))
        await soon(s.session.inbox.wait_open())
        form, model = s.session.inbox.open
        assert (form.key, form.cause, form.cause_from, form.owed) == (
            "who",
            call.number,
            "result",
            True,
        )
        assert call.waiting_for_us
        await soon(s.session.inbox.accept(form.number, {"name": "Ada"}))
        assert s.quiet()  # every input request is answered before anything is sent
        message: JsonObject = {
            "role": "assistant",
            "content": {"type": "text", "text": "x"},
            "model": "m",
        }
        await soon(s.session.inbox.accept(model.number, message))
        second = await again(s)
        assert second["id"] != first["id"]
        assert params_of(second) == {
            "name": "x",
            "arguments": {"a": 1},
            "requestState": "s\u00e9 1.10",
            "inputResponses": {
                "who": {"action": "accept", "content": {"name": "Ada"}},
                "what": message,
            },
        }
        assert not call.done
        assert isinstance(second["id"], int)
        s.server(result(second["id"], {"resultType": "complete", "content": []}))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Success)
        leg = s.session.calls[-1]
        assert (leg.parent, leg.retry_of) == (call.number, call.number)


async def test_the_state_of_the_server_comes_back_byte_for_byte() -> None:
    async with opened() as s:
        call, _ = await s.call()
        raw = (
            b'{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required",'
            b'"requestState":"\\u0041\\/b"}}' % int(call.id)
        )
        s.server(raw)
        sent = await soon(s.wire.next_sent())
        assert b'"requestState":"\\u0041\\/b"' in sent
        assert b"inputResponses" not in sent


async def test_a_question_without_a_state_is_answered_without_one() -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.server(result(call.id, question(inputRequests={"who": FORM})))
        ask = await soon(s.session.inbox.wait_open())
        await soon(s.session.inbox.decline(ask.number))
        sent = params_of(await again(s))
        assert "requestState" not in sent
        assert sent["inputResponses"] == {"who": {"action": "decline"}}


async def test_a_no_to_sampling_ends_the_call_and_sends_nothing() -> None:
    """2026-07-28 basic/patterns/mrtr: the client simply stops."""
    async with opened() as s:
        call, _ = await s.call()
        s.server(result(call.id, question(inputRequests={"m": MODEL, "w": FORM})))
        await soon(s.session.inbox.wait_open())
        model, form = s.session.inbox.open
        await soon(s.session.inbox.decline(model.number))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, RequestCancelled)
        assert s.quiet()
        dropped = s.session.inbox.find(form.number)
        assert dropped is not None
        assert dropped.state == "withdrawn"


async def test_several_questions_in_a_row_are_one_call() -> None:
    async with opened() as s:
        call, sent = await s.call()
        for turn in range(3):
            assert isinstance(sent["id"], int)
            s.server(
                result(sent["id"], question(inputRequests={"q": FORM}, requestState=str(turn)))
            )
            ask = await soon(s.session.inbox.wait_open())
            await soon(s.session.inbox.cancel(ask.number))
            sent = await again(s)
            assert params_of(sent)["requestState"] == str(turn)
        assert isinstance(sent["id"], int)
        s.server(result(sent["id"], {"content": []}))
        assert isinstance(await soon(call.wait()), Success)


async def test_policies_answer_input_requests_too() -> None:
    policies = {"elicitation": Policy("decline")}
    async with opened(Options(protocol="modern", policies=policies)) as s:  # type: ignore[arg-type]
        call, _ = await s.call()
        s.server(result(call.id, question(inputRequests={"who": FORM})))
        assert params_of(await again(s))["inputResponses"] == {"who": {"action": "decline"}}


async def test_a_server_that_only_puts_off_is_given_up() -> None:
    async with opened() as s:
        call, sent = await s.call()
        for _ in range(SILENT_ROUNDS):
            assert isinstance(sent["id"], int)
            s.server(result(sent["id"], question(requestState="x")))
            sent = await again(s)
        assert isinstance(sent["id"], int)
        s.server(result(sent["id"], question(requestState="x")))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert "put off" in outcome.error.message


async def test_a_question_that_asks_nothing_is_a_fault_of_the_server() -> None:
    async with opened() as s:
        for wrong in (
            question(),
            question(inputRequests=[FORM]),
            question(inputRequests={"a": 3}),
            question(inputRequests={"a": {"method": "tools/list"}}),
        ):
            call, _ = await s.call()
            outcome = await s.answer(call, wrong)
            assert isinstance(outcome, Lost)
            assert isinstance(outcome.error, PeerViolation)
            assert s.quiet()


async def test_cancelling_the_call_drops_its_questions() -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.server(result(call.id, question(inputRequests={"who": FORM})))
        ask = await soon(s.session.inbox.wait_open())
        await soon(call.cancel("enough"))
        await s.settle()
        dropped = s.session.inbox.find(ask.number)
        assert dropped is not None
        assert not dropped.is_open
        assert isinstance(call.outcome, Lost)


async def test_cancelling_the_call_withdraws_the_request_that_is_out() -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.server(result(call.id, question(inputRequests={"who": FORM})))
        ask = await soon(s.session.inbox.wait_open())
        await soon(s.session.inbox.decline(ask.number))
        second = await again(s)
        await soon(call.cancel("enough"))
        said = await s.client()
        assert said["method"] == "notifications/cancelled"
        assert params_of(said)["requestId"] == second["id"]


async def test_two_calls_keep_their_answers_apart() -> None:
    """2026-07-28 basic/patterns/mrtr: nothing leaks into another request."""
    async with opened() as s:
        one, _ = await s.call(arguments={"n": 1})
        two, _ = await s.call(arguments={"n": 2})
        s.server(result(two.id, question(inputRequests={"q": FORM}, requestState="two")))
        s.server(result(one.id, question(inputRequests={"q": FORM}, requestState="one")))
        await soon(s.changes.until(lambda: len(s.session.inbox.open) == 2))
        for ask in s.session.inbox.open:
            text = "one" if ask.cause == one.number else "two"
            await soon(s.session.inbox.accept(ask.number, {"text": text}))
            sent = params_of(await again(s))
            assert sent["requestState"] == text
            assert sent["arguments"] == {"n": 1 if text == "one" else 2}
            assert sent["inputResponses"] == {"q": {"action": "accept", "content": {"text": text}}}


async def test_progress_of_a_further_request_is_progress_of_the_call() -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.server(result(call.id, question(inputRequests={"who": FORM})))
        ask = await soon(s.session.inbox.wait_open())
        await soon(s.session.inbox.decline(ask.number))
        await again(s)
        token = s.session.calls[-1].progress_token
        assert token is not None
        s.server(notification("notifications/progress", progressToken=token, progress=1))
        assert call.progress is not None
        assert call.progress.progress == 1


async def test_a_question_to_a_call_that_was_given_up_asks_nobody() -> None:
    async with opened() as s:
        call, _ = await s.call()
        await soon(call.cancel("enough"))
        assert (await s.client())["method"] == "notifications/cancelled"
        s.server(result(call.id, question(inputRequests={"who": FORM})))
        await s.settle()
        assert not s.session.inbox.asks
        assert s.quiet()


async def test_progress_of_a_further_request_keeps_the_call_alive() -> None:
    async with opened(Options(protocol="modern", timeout=60.0)) as s:
        call, _ = await s.call()
        s.server(result(call.id, question(requestState="x")))
        leg = await again(s)
        call.deadline._quiet_since -= 59.0  # as if the server had been silent for so long
        assert call.deadline.left(time.monotonic()) < 2
        token = s.session.calls[-1].progress_token
        s.server(notification("notifications/progress", progressToken=token, progress=1))
        assert leg["id"] == s.session.calls[-1].id
        assert call.deadline.left(time.monotonic()) > 50


def marked(header: str) -> JsonObject:
    """A list with a tool whose argument travels as a header."""
    region: JsonObject = {"type": "string", "x-mcp-header": header}
    schema: JsonObject = {"type": "object", "properties": {"region": region}}
    return {"tools": [{"name": "x", "inputSchema": schema}]}


async def listed(s: Scene, body: JsonObject) -> None:
    """The server answers the next request, which must be for the tools."""
    asked = await s.client()
    assert asked["method"] == "tools/list"
    assert isinstance(asked["id"], int)
    s.server(result(asked["id"], body))


async def test_headers_that_do_not_match_are_made_anew_and_sent_once_more() -> None:
    """2026-07-28 basic/transports/streamable-http: refresh the tools, rebuild, retry."""
    async with opened() as s:
        call, first = await s.call(arguments={"region": "eu"})
        assert "Mcp-Param-Area" not in dict(s.wire.sent[-1].headers)
        s.server(error(call.id, HEADER_MISMATCH, "Mcp-Param-Area is missing"))
        await listed(s, marked("Area"))
        second = await again(s)
        assert second["id"] != first["id"]
        assert params_of(second) == params_of(first)
        assert dict(s.wire.sent[-1].headers)["Mcp-Param-Area"] == "eu"
        leg = s.session.calls[-1]
        assert (leg.parent, leg.retry_of) == (call.number, call.number)
        assert isinstance(second["id"], int)
        s.server(result(second["id"], {"content": []}))
        assert isinstance(await soon(call.wait()), Success)
        assert call.rounds == 0


async def test_headers_are_made_anew_only_once() -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.server(error(call.id, HEADER_MISMATCH, "one"))
        await listed(s, {"tools": []})
        second = await again(s)
        assert isinstance(second["id"], int)
        s.server(error(second["id"], HEADER_MISMATCH, "two"))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Failure)
        assert outcome.message == "two"
        await s.settle()
        assert s.quiet()


async def test_a_mismatch_of_a_request_without_such_headers_is_its_outcome() -> None:
    async with opened() as s:
        call, _ = await s.call("resources/read", uri="memo://x")
        s.server(error(call.id, HEADER_MISMATCH, "no"))
        assert isinstance(await soon(call.wait()), Failure)
        assert s.quiet()


async def test_a_round_whose_headers_do_not_match_is_sent_again_with_its_answers() -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.server(result(call.id, question(requestState="s")))
        second = await again(s)
        assert isinstance(second["id"], int)
        s.server(error(second["id"], HEADER_MISMATCH, "no"))
        await listed(s, {"tools": []})
        assert params_of(await again(s)) == {"name": "x", "requestState": "s"}


async def test_cancelling_while_the_tools_are_read_again_sends_nothing_more() -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.server(error(call.id, HEADER_MISMATCH, "no"))
        assert (await s.client())["method"] == "tools/list"
        await soon(call.cancel("enough"))
        await s.settle()
        assert isinstance(call.outcome, Lost)
        assert [line for line in s.transcript() if line == "→ request tools/call"] == [
            "→ request tools/call"
        ]


async def test_a_version_error_that_names_our_own_is_followed_once() -> None:
    """2026-07-28 basic/versioning: retry with a version from `data.supported`."""
    supported: JsonObject = {"supported": ["2026-07-28"], "requested": "2026-07-28"}
    async with opened() as s:
        call, _ = await s.call()
        s.server(error(call.id, UNSUPPORTED_PROTOCOL_VERSION, "no", supported))
        second = await again(s)
        assert isinstance(second["id"], int)
        s.server(error(second["id"], UNSUPPORTED_PROTOCOL_VERSION, "still no", supported))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Failure)
        assert outcome.message == "still no"


async def test_a_version_error_in_the_middle_of_a_session_tells_how_to_reconnect() -> None:
    async with opened() as s:
        call, _ = await s.call()
        data: JsonObject = {"supported": ["2025-11-25"], "requested": "2026-07-28"}
        s.server(error(call.id, UNSUPPORTED_PROTOCOL_VERSION, "no", data))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Failure)
        assert "--protocol 2025-11-25" in outcome.hint
        assert s.quiet()


async def test_logs_of_a_further_request_are_logs_of_the_call() -> None:
    async with opened() as s:
        call, _ = await s.call()
        s.server(result(call.id, question(requestState="x")))
        leg = await again(s)
        assert isinstance(leg["id"], int)
        number = s.server(notification("notifications/message", level="info"), about=leg["id"])
        assert call.logs == s.session.calls[-1].logs == (number,)
