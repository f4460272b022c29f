"""Answers find their call, and whatever else a peer says breaks nothing."""

import asyncio

import pytest

from inspector.errors import ConnectionFailed, PeerViolation, RequestCancelled, RequestTimeout
from inspector.journal.entries import Flag, Kind
from inspector.journal.facts import decode_facts
from inspector.session import engine
from inspector.session.engine import failure_of
from inspector.session.options import Options
from inspector.session.pending import Call, Failure, Lost, Success
from inspector.session.state import Phase
from inspector.transport.base import Closed
from tests.session.scene import Scene, error, notification, ready, request, result, soon


def lost(call: Call) -> Exception:
    """Why `call` has no answer."""
    assert isinstance(call.outcome, Lost)
    return call.outcome.error


@pytest.mark.parametrize(
    "raw",
    [
        b'{"jsonrpc":"2.0","id":5,"method":7}',
        b'{"jsonrpc":"2.0","id":5,"method":"roots/list","params":[1]}',
        b'{"jsonrpc":"2.0","id":5,"method":"ping",}',
    ],
)
async def test_a_request_that_cannot_be_read_is_refused_by_its_id(raw: bytes) -> None:
    """The server that waits for it is told, whatever is wrong with it."""
    async with ready() as s:
        s.server(raw)
        refusal = await s.client()
        assert refusal["id"] == 5
        assert isinstance(refusal["error"], dict)
        assert refusal["error"]["code"] == -32600


async def test_a_result_is_kept_with_its_exact_text() -> None:
    async with ready() as s:
        call, sent = await s.call()
        assert sent["id"] == call.id
        raw = b'{"n": 1e2,  "big": 123456789012345678901234567890}'
        number = s.server(b'{"result":' + raw + b', "jsonrpc":"2.0","id":2}')
        outcome = await soon(call.wait())
        assert isinstance(outcome, Success)
        assert outcome.raw == raw
        assert outcome.entry == number
        assert s.journal.row(number).partner == call.entry
        assert s.transcript() == ["→ request tools/call", "← result tools/call"]


async def test_an_error_is_a_value_with_its_exact_text() -> None:
    async with ready() as s:
        call, _ = await s.call()
        s.server(b'{"jsonrpc":"2.0","id":2,"error":{"code": -5, "message":"no", "data": [1.0]}}')
        outcome = await soon(call.wait())
        assert outcome == Failure(
            -5, "no", [1.0], b'{"code": -5, "message":"no", "data": [1.0]}', call.entry + 1
        )


async def test_ids_are_never_reused_and_answers_may_come_in_any_order() -> None:
    """2025-11-25 basic: the id MUST NOT have been used before in the session."""
    async with ready() as s:
        first, _ = await s.call()
        second, _ = await s.call()
        assert (first.id, second.id) == (2, 3)
        await s.answer(second, {"n": 2})
        await s.answer(first, {"n": 1})
        assert isinstance(first.outcome, Success)
        assert first.outcome.result == {"n": 1}


async def test_an_id_of_another_type_answers_nothing_and_leaves_a_hint() -> None:
    """2025-11-25 basic: responses carry the same id; "2" is not 2."""
    async with ready() as s:
        call, _ = await s.call()
        number = s.server(result("2", {}))
        assert not call.done
        assert "a string is not a number" in call.hint
        assert Flag.ID_TYPE_MISMATCH in s.journal.row(number).flags
        await s.answer(call, {})


async def test_answers_to_nothing_and_second_answers_never_crash() -> None:
    async with ready() as s:
        call, _ = await s.call()
        s.server(result(99, {}))
        assert "unknown id 99" in call.hint
        await s.answer(call, {"n": 1})
        duplicate = s.server(result(call.id, {"n": 2}))
        assert isinstance(call.outcome, Success)
        assert call.outcome.result == {"n": 1}
        assert call.late == (duplicate,)
        assert s.session.state.ready


async def test_an_unreadable_answer_with_a_readable_id_fails_its_call_at_once() -> None:
    async with ready() as s:
        call, _ = await s.call()
        number = s.server(b'{"jsonrpc":"2.0","id":2,"result":{},"error":{}}')
        await soon(call.wait())
        assert isinstance(lost(call), PeerViolation)
        assert "both a result and an error" in str(lost(call))
        assert isinstance(call.outcome, Lost)
        assert call.outcome.entry == number
        following, _ = await s.call()
        await s.answer(following, {})
        assert isinstance(following.outcome, Success)


async def test_bytes_that_are_no_message_leave_the_session_working() -> None:
    async with ready() as s:
        call, _ = await s.call()
        for raw in (b"", b"hello", b"\xff\xfe", b"[]", b"null", b'{"jsonrpc":"2.0"}', b'{"id":2}'):
            s.server(raw)
        if not call.done:
            await s.answer(call, {})
        assert s.session.state.ready


async def test_an_answer_behind_other_text_fails_its_call_unless_it_was_only_quoted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "QUOTED_SECONDS", 0.05)
    async with ready() as s:
        quoted, _ = await s.call()
        s.server(b'DEBUG sending {"jsonrpc":"2.0","id":2,"result":{}}')
        assert not quoted.done
        await s.answer(quoted, {"n": 1})
        assert isinstance(quoted.outcome, Success)
        glued, _ = await s.call()
        number = s.server(b'Listening on 80{"jsonrpc":"2.0","id":3,"result":{}}')
        assert f"entry {number}" in glued.hint
        await soon(glued.wait())
        assert isinstance(lost(glued), PeerViolation)
        assert "stands in a line with something else" in str(lost(glued))
        assert isinstance(glued.outcome, Lost)
        assert glued.outcome.entry == number


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b'{"jsonrpc":"2.0","id":null,"result":{}}', "the result's id null is no request id"),
        (b'{"jsonrpc":"2.0","result":{}}', "the result has no id"),
        (b"{", "it ends in the middle"),
        (b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse"}}', "Parse"),
    ],
)
async def test_what_cannot_be_told_to_be_an_answer_is_told_where_the_call_times_out(
    raw: bytes, words: str
) -> None:
    async with ready() as s:
        call = await soon(s.session.request("tools/call", {"name": "x"}, timeout=0.05))
        await s.client()
        number = s.server(raw)
        s.server(b"more")
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert words in outcome.error.hint
        assert f"entry {number}" in outcome.error.hint


async def test_an_error_without_usable_id_belongs_to_its_http_exchange() -> None:
    """2025-11-25 basic/transports: an HTTP error may carry an error without an id."""
    async with ready() as s:
        first, _ = await s.call()
        second, _ = await s.call()
        s.server(error("server-error", -32600, "bad"), about=second.id)
        assert isinstance(second.outcome, Failure)
        assert not first.done
        s.server(error(None, -32600, "bad"))
        assert not first.done
        await s.answer(first, {})


async def test_a_timeout_cancels_and_the_late_answer_is_kept() -> None:
    """2025-11-25 basic/lifecycle, timeouts; basic/utilities/cancellation."""
    async with ready() as s:
        call = await soon(s.session.request("tools/call", {"name": "x"}, timeout=0.02))
        await s.client()
        await soon(call.wait())
        assert isinstance(lost(call), RequestTimeout)
        assert Flag.TIMED_OUT in s.journal.row(call.entry).flags
        told = s.journal.entry(call.entry + 1)
        assert told.row.method == "timed-out"
        assert decode_facts(told.body)["request"] == call.entry
        assert await s.client() == {
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": 2, "reason": "timed out"},
        }
        number = s.server(result(2, {"late": True}))
        assert Flag.LATE in s.journal.row(number).flags
        assert call.late == (number,)
        assert isinstance(call.outcome, Lost)


async def test_cancelling_tells_the_server_and_ends_the_call() -> None:
    async with ready() as s:
        call, _ = await s.call()
        await soon(call.cancel("enough"))
        assert isinstance(lost(call), RequestCancelled)
        assert (await s.client())["params"] == {"requestId": 2, "reason": "enough"}
        await call.cancel("again")
        await s.settle()
        assert s.quiet()


async def test_progress_keeps_a_call_alive_until_the_hard_maximum() -> None:
    """2025-11-25 basic/lifecycle: progress may reset the clock, a maximum is enforced anyway."""
    async with ready(options=Options(timeout=0.6, max_timeout=1.2)) as s:
        call, sent = await s.call()
        assert isinstance(sent["params"], dict)
        assert sent["params"]["_meta"] == {"progressToken": 2}
        count = 0

        async def drip() -> None:
            nonlocal count
            while not call.done:
                count += 1
                s.server(notification("notifications/progress", progressToken=2, progress=count))
                await asyncio.sleep(0.01)

        s.begin(drip())
        await soon(call.wait())
        assert isinstance(lost(call), RequestTimeout)
        assert call.elapsed >= 1.2
        assert call.progress is not None
        assert call.progress.count == count


async def test_progress_for_an_unknown_token_is_ignored() -> None:
    """basic/utilities/progress."""
    async with ready() as s:
        call, _ = await s.call()
        for token in (99, "2", True, None, 2.0):
            s.server(notification("notifications/progress", progressToken=token, progress=1))
        assert s.session.calls[-1].progress is None
        s.server(
            notification(
                "notifications/progress", progressToken=2, progress=1, total=4, message="half"
            )
        )
        assert call.progress is not None
        assert (call.progress.progress, call.progress.total, call.progress.message) == (
            1.0,
            4.0,
            "half",
        )
        await s.answer(call, {})
        s.server(notification("notifications/progress", progressToken=2, progress=2))
        assert call.progress.progress == 1.0


async def test_the_end_of_the_connection_fails_what_is_open_and_says_how() -> None:
    async with ready() as s:
        call, _ = await s.call()
        s.server(request("q", "roots/list"))
        s.wire.end(Closed("the server exited", signal="SIGSEGV"))
        await soon(call.wait())
        assert isinstance(lost(call), ConnectionFailed)
        assert str(lost(call)) == "the server exited (signal SIGSEGV)"
        assert s.session.state.phase is Phase.FAILED
        assert s.session.state.error is lost(call)
        assert s.journal.correlator.open_requests() == []


async def test_one_failed_request_leaves_the_session_alive() -> None:
    async with ready() as s:
        first, _ = await s.call()
        second, _ = await s.call()
        s.wire.fail(first.id, ConnectionFailed("the response was cut off"))
        assert str(lost(first)) == "the response was cut off"
        assert s.journal.correlator.open_requests() == [second.entry]
        await s.answer(second, {})
        assert s.session.state.ready


async def test_a_batch_is_taken_apart() -> None:
    """2025-03-26 basic: implementations MUST support receiving batches."""
    async with ready(revision="2025-03-26") as s:
        first, _ = await s.call()
        second, _ = await s.call()
        number = s.server(
            [
                result(second.id, {"n": 2}),
                notification("notifications/message", level="info", data="x"),
                request("p", "ping"),
                result(first.id, {"n": 1}),
                {"nonsense": True},
            ]
        )
        assert isinstance(first.outcome, Success)
        assert isinstance(second.outcome, Success)
        assert second.outcome.raw == b'{"n":2}'
        assert first.outcome.entry == number
        assert [line.entry for line in s.session.logs.lines] == [number]
        assert await s.client() == {"jsonrpc": "2.0", "id": "p", "result": {}}
        assert "batch-not-allowed" not in events(s)


def events(s: Scene) -> list[str]:
    """The names of the journal's events."""
    rows = [s.journal.row(number) for number in range(1, len(s.journal) + 1)]
    return [row.method for row in rows if row.kind is Kind.EVENT]


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-06-18", "2025-11-25"])
async def test_a_batch_where_there_are_none_is_read_and_told(revision: str) -> None:
    """2025-06-18 changelog: batching is removed; 2024-11-05 does not know it."""
    async with ready(revision=revision) as s:
        call, _ = await s.call()
        number = s.server([result(call.id, {"n": 1})])
        assert isinstance(call.outcome, Success)
        assert events(s)[-1] == "batch-not-allowed"
        assert f"entry {number} is a batch" in s.journal.body(len(s.journal)).decode()


async def test_a_server_may_use_our_ids_for_its_own_requests() -> None:
    """Ids are unique per direction only."""
    async with ready() as s:
        call, _ = await s.call()
        s.server(request(call.id, "ping"))
        assert await s.client() == {"jsonrpc": "2.0", "id": call.id, "result": {}}
        assert not call.done
        await s.answer(call, {"n": 1})
        assert isinstance(call.outcome, Success)


async def test_a_request_whose_parameters_are_no_object_is_refused_not_left_hanging() -> None:
    async with ready() as s:
        s.server(b'{"jsonrpc":"2.0","id":5,"method":"roots/list","params":[1]}')
        refusal = await s.client()
        assert refusal["id"] == 5
        assert isinstance(refusal["error"], dict)
        assert refusal["error"]["code"] == -32600


async def test_a_connection_that_cannot_be_written_ends_the_call_as_a_value() -> None:
    async with ready() as s:
        s.wire.send = _refuse  # type: ignore[method-assign]
        call = await soon(s.session.request("tools/list"))
        assert str(lost(call)) == "broken pipe"


async def _refuse(outgoing: object) -> int:
    raise ConnectionFailed("broken pipe")


@pytest.mark.parametrize(
    ("closed", "message"),
    [
        (Closed("gone", exit_code=0), "gone (exit code 0)"),
        (Closed("gone", exit_code=-9, signal="SIGKILL"), "gone (signal SIGKILL)"),
        (Closed(""), "the connection ended"),
    ],
)
def test_the_reason_names_exit_code_or_signal(closed: Closed, message: str) -> None:
    assert failure_of(closed).message == message


async def test_a_thousand_notifications_are_taken_without_a_word() -> None:
    async with ready() as s:
        for n in range(1000):
            s.server(notification("notifications/message", level="debug", data=n))
            s.server(notification("notifications/unheard/of", n=n))
        assert s.session.logs.total == 1000
        assert s.quiet()
