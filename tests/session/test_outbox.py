"""What goes out goes out as it stands, and its clock runs only while the server has the word."""

import pytest

from inspector.errors import UsageError
from inspector.journal.entries import Flag
from inspector.journal.facts import decode_facts
from inspector.protocol.messages import RawJson
from inspector.session import nest
from inspector.session.options import Options
from inspector.session.pending import Lost, Success
from tests.session.scene import notification, ready, request, result, soon


async def test_raw_arguments_reach_the_wire_token_for_token() -> None:
    async with ready() as s:
        await s.session.request(
            "tools/call", {"name": "x", "arguments": RawJson(b'{"a":1.0,"b":1e400}')}
        )
        sent = await soon(s.wire.next_sent())
        assert b'"arguments":{"a":1.0,"b":1e400}' in sent
        s.server(notification("notifications/progress", progressToken=2, progress=1))
        assert s.session.calls[-1].progress is not None


async def test_a_request_without_progress_is_sent_exactly_as_given() -> None:
    async with ready() as s:
        await s.session.request("tools/list", RawJson(b'{"x":  1}'), progress=False)
        await s.client()
        assert s.wire.sent[-1].raw == (
            b'{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"x":  1}}'
        )


async def test_a_progress_token_of_the_users_own_is_the_one_that_counts() -> None:
    async with ready() as s:
        call = await s.session.request("tools/call", {"_meta": {"progressToken": "mine"}})
        await s.client()
        s.server(notification("notifications/progress", progressToken="mine", progress=3))
        assert call.progress is not None
        assert call.progress.progress == 3.0


async def test_what_json_cannot_say_is_the_callers_mistake() -> None:
    async with ready() as s:
        with pytest.raises(UsageError, match="as JSON"):
            await s.session.request("tools/call", {"x": float("nan")})
        assert s.session.calls[-1].method == "initialize"


async def test_resent_bytes_go_out_as_they_stand_and_their_answer_is_found() -> None:
    async with ready() as s:
        raw = b'{ "jsonrpc":"2.0", "id":"mine", "method":"tools/call","params":{"name":"a"} }'
        number = await soon(s.session.send_raw(raw))
        await s.client()
        assert s.wire.sent[-1].raw == raw
        assert Flag.RESENT in s.journal.row(number).flags
        call = s.session.calls[-1]
        assert (call.id, call.label, call.entry) == ("mine", "a", number)
        s.server(result("mine", {"ok": True}))
        assert isinstance(await soon(call.wait()), Success)


async def test_resending_an_id_that_is_still_open_makes_no_second_call() -> None:
    async with ready() as s:
        call, _ = await s.call()
        before = len(s.session.calls)
        await soon(s.session.send_raw(b'{"jsonrpc":"2.0","id":2,"method":"tools/list"}'))
        await s.client()
        assert len(s.session.calls) == before
        await s.answer(call, {})


async def test_rubbish_can_be_sent_on_purpose() -> None:
    async with ready() as s:
        number = await soon(s.session.send_raw(b"{not json"))
        assert s.journal.body(number) == b"{not json"


async def test_no_clock_runs_while_the_server_waits_for_us() -> None:
    """The time a person takes to answer is not the server's."""
    async with ready(options=Options(timeout=0.5, max_timeout=0.5)) as s:
        call, _ = await s.call()
        s.server(request("q", "elicitation/create", message="?", requestedSchema={}))
        assert call.waiting_for_us
        ask = await soon(s.session.inbox.wait_open())
        assert ask.cause == call.number
        assert call.deadline.paused
        await soon(s.session.inbox.decline(ask.number))
        assert isinstance(await soon(call.wait()), Lost)


async def test_a_timeout_of_zero_means_no_limit() -> None:
    async with ready(options=Options(timeout=0.01)) as s:
        call = await s.session.request("tools/call", {"name": "x"}, timeout=0)
        await s.client()
        assert call.timer is None
        await s.answer(call, {})


async def test_an_id_that_the_user_took_is_never_given_to_another_request() -> None:
    """2025-11-25 basic: an id is not used twice in a session."""
    async with ready() as s:
        await soon(s.session.send_raw(b'{"jsonrpc":"2.0","id":3,"method":"tools/call"}'))
        await s.client()
        mine = s.session.calls[-1]
        ids = [(await s.call())[1]["id"] for _ in range(2)]
        assert ids == [2, 4]
        s.server(result(3, {}))
        assert isinstance(await soon(mine.wait()), Success)


async def test_a_progress_token_in_use_is_not_given_to_another_request() -> None:
    """2025-11-25 basic/utilities/progress: tokens are unique across active requests."""
    async with ready() as s:
        mine = await s.session.request("tools/call", {"_meta": {"progressToken": 3}})
        other = await s.session.request("tools/call", {"name": "x"})
        assert other.progress_token != 3
        s.server(notification("notifications/progress", progressToken=3, progress=1))
        assert mine.progress is not None
        assert other.progress is None


async def test_the_end_of_one_call_takes_no_progress_from_another() -> None:
    async with ready() as s:
        first, _ = await s.call()
        second = await s.session.request("tools/call", {"_meta": {"progressToken": first.id}})
        await s.answer(first, {})
        s.server(notification("notifications/progress", progressToken=first.id, progress=1))
        assert second.progress is not None


async def test_the_transport_hears_that_nobody_waits_any_more() -> None:
    """A stream of an answer that nobody wants is not resumed for ever."""
    async with ready(options=Options(timeout=0.02)) as s:
        late, _ = await s.call()
        await soon(late.wait())
        await s.client()
        await s.settle()
        assert s.wire.abandoned == [late.id]
        given_up = await s.session.request("tools/call", {"name": "x"}, timeout=0)
        await soon(given_up.cancel("enough"))
        assert s.wire.abandoned == [late.id, given_up.id]


async def test_answers_that_are_dropped_are_counted_and_do_not_flood_the_journal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nest, "LIMIT", 1)
    async with ready() as s:
        for number in range(100):
            s.server(request(number, "ping"))
        rows = [s.journal.row(number) for number in range(1, len(s.journal) + 1)]
        told = [row.number for row in rows if row.method == "answers-dropped"]
        counts = [decode_facts(s.journal.body(number))["answers"] for number in told]
        assert counts == [1, 2, 4, 8, 16, 32, 64]
        assert (await s.client())["id"] == 0
