"""A session that the server forgot is opened anew, and is asked for what the old one had."""

from inspector.config.targets import Target
from inspector.journal.entries import Kind
from inspector.journal.facts import decode_facts
from inspector.protocol.messages import JsonObject
from inspector.session.pending import Lost, Success
from inspector.workbench import Options, Workbench
from tests.servers.rude_web import rude_web
from tests.servers.rude_web_pokes import Web
from tests.session.scene import soon


def bench_for(web: Web) -> Workbench:
    """A workbench on that server."""
    return Workbench(Target(url=web.url, transport="http"), options=Options(no_record=True))


def restored(bench: Workbench) -> list[JsonObject]:
    """What the journal says of restoring."""
    journal = bench.journal
    rows = (journal.row(number) for number in range(1, len(journal) + 1))
    return [
        decode_facts(journal.body(row.number))
        for row in rows
        if row.kind is Kind.EVENT and row.method == "session-restored"
    ]


async def test_log_level_subscriptions_and_lists_are_asked_for_again() -> None:
    """2025-11-25 basic/transports: 404 to a session id means a new session, which knows nothing."""
    async with rude_web("session-forgotten") as web, bench_for(web) as bench:
        assert (await soon(bench.connect())).ready
        first = bench.session
        await soon(first.set_log_level("debug"))
        await soon(first.subscribe("test://one"))
        await soon(first.subscribe("test://two"))
        await soon(first.catalog.look("tools"))
        call = await soon(first.call_tool("poke", {}))
        assert isinstance(await soon(call.wait()), Lost)
        await soon(bench.changes.until(lambda: bool(restored(bench))))
        await soon(bench.changes.until(lambda: bench.session.catalog["tools"].state == "ready"))
        assert bench.session is not first
        assert bench.session.state.log_level == "debug"
        assert [item.uri for item in bench.session.subscriptions.items] == [
            "test://one",
            "test://two",
        ]
        assert restored(bench)[0]["failed"] == []
        again = await soon(bench.session.call_tool("poke", {}))
        assert isinstance(await soon(again.wait()), Success)
        assert len(web.bodies("resources/subscribe")) == 4


async def test_a_session_that_is_forgotten_while_it_is_restored_is_not_renewed_for_ever() -> None:
    async with rude_web("forgets-subscribers") as web, bench_for(web) as bench:
        assert (await soon(bench.connect())).ready
        await soon(bench.session.set_log_level("debug"))
        first = bench.session
        await soon(first.subscribe("test://one"))
        await soon(first.subscribe("test://two"))
        await soon(bench.changes.until(lambda: bench.session is not first))
        await soon(bench.changes.until(lambda: bool(restored(bench))))
        assert web.sessions == 2
        assert bench.session.state.over
