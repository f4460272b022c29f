"""The detail: which views an entry has, and what they show."""

from unittest.mock import patch

from textual.app import App, ComposeResult

from inspector.journal.entries import Direction, HttpFacts
from inspector.journal.exchanges import Exchanges
from inspector.journal.journal import Journal
from inspector.lint.rule import Finding, Severity
from inspector.protocol.versions import REVISIONS
from inspector.tui.themes import rich_inks
from inspector.tui.widgets.traffic_detail import LOOK_EVERY, REST, TrafficDetail
from tests.tui.world import text_of


class Host(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.console.push_theme(rich_inks(self.current_theme))
        self.journal = Journal()
        self.detail = TrafficDetail(self.journal, Exchanges(self.journal))
        self.journal.begin_connection({"name": "x"})

        self.chosen: list[tuple[str, int]] = []

    def compose(self) -> ComposeResult:
        yield self.detail

    def on_traffic_detail_finding_chosen(self, event: TrafficDetail.FindingChosen) -> None:
        self.chosen.append((event.rule, event.number))

    def walk(self, number: int) -> dict[str, str]:
        """Every view of an entry and what it shows."""
        detail, seen = self.detail, dict[str, str]()
        detail.show_entry(number)
        while detail.view not in seen:
            seen[detail.view] = text_of(detail.body)
            detail.action_next_view()
        return seen


CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}'


async def test_a_message_has_json_raw_hex_and_its_exchange() -> None:
    app = Host()
    async with app.run_test(size=(100, 30)):
        number = app.journal.frame(Direction.SENT, CALL, connection=1)
        app.journal.frame(Direction.RECEIVED, b'{"jsonrpc":"2.0","id":1,"result":{}}', connection=1)
        views = app.walk(number)
        assert list(views) == ["pretty", "raw", "hex", "exchange", "causes"]
        assert '"method": "tools/call"' in views["pretty"]
        assert CALL.decode() in views["raw"]
        assert "7b 22 6a 73" in views["hex"]
        assert '"result": {}' in views["exchange"]


async def test_a_message_over_http_shows_its_exchange_with_the_server() -> None:
    app = Host()
    async with app.run_test(size=(100, 30)):
        sent = app.journal.frame(Direction.SENT, CALL, connection=1)
        facts = HttpFacts("POST", "http://x/mcp", (("accept", "*/*"),), 200, "OK")
        carrier = app.journal.http(facts, connection=1, frame=sent)
        answer = app.journal.frame(
            Direction.RECEIVED, b'{"jsonrpc":"2.0","id":1,"result":{}}', connection=1, http=carrier
        )
        assert "POST http://x/mcp" in app.walk(answer)["http"]
        assert next(iter(app.walk(carrier))) == "http"


async def test_malformed_bytes_and_events_have_no_json_view() -> None:
    app = Host()
    async with app.run_test(size=(100, 30)):
        number = app.journal.frame(Direction.RECEIVED, b"oops\x1b[1m", connection=1)
        views = app.walk(number)
        assert "pretty" not in views
        assert "oops␛[1m" in views["raw"]
        assert "name" in app.walk(1)["facts"]


async def test_the_view_is_kept_from_entry_to_entry() -> None:
    app = Host()
    async with app.run_test(size=(100, 30)):
        first = app.journal.frame(Direction.SENT, CALL, connection=1)
        second = app.journal.frame(Direction.RECEIVED, b"oops", connection=1)
        app.detail.show_entry(first)
        app.detail.action_next_view()
        app.detail.action_next_view()
        app.detail.show_entry(second)
        assert app.detail.view == "hex"


async def test_findings_are_listed_their_place_is_marked_and_enter_chooses_one() -> None:
    app = Host()
    async with app.run_test(size=(100, 30)) as pilot:
        number = app.journal.frame(Direction.SENT, CALL, connection=1)
        detail = app.detail
        detail.show_entry(number)
        assert "findings" not in app.walk(number)
        found = [
            Finding(
                "tools/x", Severity.ERROR, REVISIONS[3], "no", (number,), "/params/name", "server/x"
            )
        ]
        detail.findings_at = lambda entry: found if entry == number else ()
        await pilot.pause()
        for _ in range(LOOK_EVERY):
            detail.tick()
        assert "findings 1" in text_of(detail.query_one("#detail-rule"))
        detail.show_view("pretty")
        marked = [line for line in text_of(detail.body).splitlines() if "◀" in line]
        assert [line.split("◀")[0].strip() for line in marked] == ['"name": "add"']
        detail.show_view("findings")
        assert "✗ error tools/x" in text_of(detail.body)
        assert "at /params/name" in text_of(detail.body)
        detail.body.focus()
        await pilot.press("j", "enter")
        assert app.chosen == [("tools/x", number)]


async def test_a_call_that_takes_long_to_look_at_is_looked_at_less_often() -> None:
    app = Host()
    async with app.run_test(size=(100, 30)):
        number = app.journal.frame(Direction.SENT, CALL, connection=1)
        detail = app.detail
        detail.show_entry(number)
        detail.show_view("causes")
        now, looks = 0.0, 0

        def slow(_: int) -> None:
            nonlocal now, looks
            now += 0.5
            looks += 1

        with (
            patch("inspector.tui.widgets.traffic_detail.monotonic", lambda: now),
            patch.object(detail, "_fill_causes", slow),
        ):
            for _ in range(1000):
                app.journal.stderr(b"x", connection=1)
                detail.tick()
        assert 1 < looks <= 1000 / (0.5 * REST) + 1
