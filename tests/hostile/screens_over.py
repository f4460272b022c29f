"""Walks through what lies over the main screen, and beside a session: palette, help, boxes to type
in, dialogs, what came of a matrix or a comparison, the way in, and what is said when it fails."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import PropertyMock, patch

from textual.widgets import Input, OptionList

from inspector.auth.actions import Failed, Stage, StepRecord
from inspector.auth.remarks import Remark, Weight
from inspector.auth.situation import AuthState
from inspector.config.targets import Target
from inspector.era_compare import Asked, Run
from inspector.era_matrix import EraMatrix, Wanted, same_for_all
from inspector.protocol.messages import Json
from inspector.protocol.versions import REVISIONS
from inspector.session.asks import INTERACTIVE
from inspector.session.pending import Failure, Success
from inspector.transport.base import Closed
from inspector.tui.auth_person import Question, QuestionKind
from inspector.tui.places import Heading, Line, Place
from inspector.tui.screens.auth import AuthScreen
from inspector.tui.screens.compare import CompareScreen
from inspector.tui.screens.compare_choice import CompareChoice, Kept
from inspector.tui.screens.connect import ConnectScreen
from inspector.tui.screens.dialogs import ConfirmDialog, EditDialog, LineDialog
from inspector.tui.screens.export import Choice, ExportScreen
from inspector.tui.screens.matrix import MatrixScreen
from inspector.tui.screens.trust import TrustScreen
from inspector.tui.views.tools import ToolsView
from tests.hostile.everything import Everything
from tests.hostile.screens_live import open_tab
from tests.hostile.walk import Walk
from tests.tui.world import main


async def typed(walk: Walk, server: Everything) -> None:
    """The palette, jump mode, help, and every box that words are typed into."""
    view = await open_tab(walk, "2", ToolsView)
    assert isinstance(view, ToolsView)
    for words in ("tool", "prompt", "resource"):
        await walk.press("ctrl+p", *words)
        await walk.until(lambda: walk.app.screen.query_one(OptionList).option_count > 90)
        await walk.pages(f"palette, {words}")
        await walk.press("escape")
    await walk.do("jump", "ctrl+o")
    await walk.press("escape")
    await walk.do("help", "f1")
    await walk.press("escape")
    view.rows.focus()
    await walk.press("slash")
    box = view.query_one("#list-filter", Input)
    for group in walk.groups(server.said.values()):
        box.value = " ".join(group)
        await walk.look(f"list filter, {group}")
    box.value = ""
    await walk.press("escape")
    for group in walk.groups(server.said.values()):
        main(walk.app).filter_traffic(" ".join(group))
        await walk.look(f"traffic filter, {group}")
    main(walk.app).filter_traffic("")
    for group in walk.groups(server.said.values(), 4):
        for text in group:
            walk.app.notify_safe(text, title=text)
        await walk.look(f"notifications, {group}")
        walk.app.clear_notifications()


async def dialogs(walk: Walk, server: Everything) -> None:
    """Dialogs about what the server, a file or a name said."""
    everything = "\n".join(server.said.values())
    journal = walk.app.bridge.workbench.journal
    raw = b'{"a":"' + everything.encode("utf-8", "backslashreplace").replace(b"\n", b" ") + b'"}'
    choices = [Choice(text, lambda: range(1, 2)) for text in [*server.said.values()][::9]]
    for group in walk.groups(server.said.values()):
        told = "\n".join(text[:200] for text in group)
        for screen in (
            LineDialog(told, told.replace("\n", " ")),
            ConfirmDialog(told, told),
            _trusting(group),
        ):
            walk.app.push_screen(screen)
            await walk.pages(f"{type(screen).__name__}, {group}", most=walk.most(2))
            screen.dismiss(None)
            await walk.pilot.pause()
    walk.app.push_screen(editor := EditDialog(everything[:60], raw))
    await walk.pages("an editor")
    editor.dismiss(None)
    walk.app.push_screen(ExportScreen(journal, choices))
    await walk.look("export")
    box = walk.app.screen.query_one("#export-rules", Input)
    for group in walk.groups(server.said.values()):
        box.value = " ".join(group)
        await walk.do(f"export, rules {group}", "ctrl+s")
    await walk.press("escape")
    await walk.until(lambda: not isinstance(walk.app.screen, ExportScreen))
    main(walk.app).show_entry(2)
    bench = walk.app.bridge.workbench

    async def note() -> None:
        for number, text in enumerate(server.said.values(), 1):
            bench.journal.note(min(number, 5), text)

    await walk.app.bridge.run(note)
    await walk.press("ctrl+t", "ctrl+t", "ctrl+g", "end")
    await walk.pages("notes", key="pageup", most=6)
    await walk.do("notes", "home", "down", "enter")
    await walk.pages("notes of an entry")
    await walk.press("q", "ctrl+t", "ctrl+t")
    await walk.do("revision", "f2")
    await walk.press("escape")
    await walk.do("edit the target", "f4")
    await walk.press("escape")


def _trusting(group: list[str]) -> TrustScreen:
    name = " ".join(group)
    folder = Path("/" + name.replace("\0", "").encode("utf-8", "replace").decode())
    env = {text: text for text in group}
    return TrustScreen(Target(tuple(group), name=name, env=env, cwd=folder, source=folder))


async def outcomes(walk: Walk, server: Everything, recording: Path) -> None:
    """A matrix, the outcome of a run, a comparison and its choice, what hangs."""
    said = [*server.said.values()]
    runs = tuple(_run(said, place) for place in range(len(REVISIONS)))
    matrix = EraMatrix(
        walk.app.bridge.workbench,
        Wanted("tools/call", said[0]),
        policies=same_for_all(INTERACTIVE, "accept-defaults"),
    )
    matrix.runs = runs
    screen = MatrixScreen(Wanted("tools/call", said[0], {said[1]: said[2]}), said[3])
    walk.app.push_screen(screen)
    await walk.look("matrix, before")
    screen.show(matrix)
    await walk.press("home")
    for place in range(len(runs)):
        await walk.look(f"matrix, run {place}")
        screen.query_one("#matrix-detail").focus()
        await walk.pages(f"matrix, detail {place}")
        screen.query_one("#matrix-rows").focus()
        await walk.do(f"outcome {place}", "enter")
        await walk.pages(f"outcome {place}")
        walk.app.screen.query_one("#outcome-about").focus()
        await walk.pages(f"outcome, about {place}")
        await walk.press("escape", "down")
    screen.dismiss()
    kept = [Kept(Path("/" + text.replace("\0", "")), 0.0, 5) for text in said]
    walk.app.push_screen(CompareChoice(kept))
    await walk.pages("compare, choice")
    walk.app.screen.dismiss(None)
    journal = walk.app.bridge.workbench.journal
    compare = CompareScreen(journal, said[3], recording)
    walk.app.push_screen(compare)
    await walk.until(lambda: compare.rows.count_lines() > 5)
    await walk.pages("compare", most=walk.most(8))
    compare.dismiss()
    compare = CompareScreen(journal, said[3], Path("/" + said[4]))
    walk.app.push_screen(compare)
    await walk.until(lambda: "Cannot" in compare.rows.empty_text())
    await walk.look("compare, failed")
    compare.dismiss()
    await walk.pilot.pause()
    await walk.do("why it hangs", "alt+w")
    await walk.pages("why it hangs")
    await walk.press("escape")


def _run(said: list[str], place: int) -> Run:
    mine = said[place :: len(REVISIONS)]
    result: Json = {
        "content": [{"type": "text", "text": text} for text in mine],
        "isError": place > 2,
    }
    raw = repr(result).encode("utf-8", "replace")
    success = Success(result, raw, 1)
    failure = Failure(-32000, "\n".join(mine), mine[0], raw, 1)
    return Run(
        REVISIONS[place],
        "done",
        why=" ".join(mine[:8]),
        outcome=failure if place == 1 else success,
        unsent=mine[0],
        seconds=0.1,
        connection=2,
        entry=3,
        first=2,
        last=5,
        entries=3,
        asked=tuple(Asked(text, text, "request", {text: text}, text) for text in mine),
    )


async def ways_in(walk: Walk, server: Everything) -> None:
    """The connect screen and the steps of an authorization."""
    lines: list[Line] = []
    for number, text in enumerate(server.said.values()):
        lines += [Heading(text)] if number % 7 == 0 else []
        lines.append(
            Place(
                text,
                text,
                where=text,
                problem=text if number % 3 == 1 else "",
                missing=(text,) if number % 3 == 2 else (),
                trusted=number % 2 == 0,
            )
        )
    connect = ConnectScreen(lambda: lines)
    walk.app.push_screen(connect)
    await walk.until(lambda: bool(connect.query("#connect-list")))
    await walk.until(lambda: len(connect.places.items) == len(lines))
    await walk.pages("connect")
    await walk.press("down", "home")
    for place in walk.some(range(len(lines)), 13):
        connect.places.go_to(place)
        await walk.look(f"connect, line {place}")
    connect.query_one(Input).focus()
    for group in walk.groups(server.said.values()):
        connect.query_one(Input).value = f"{' '.join(group)} 'unclosed"
        await walk.do(f"connect, typed {group}", "enter")
    connect.dismiss(None)
    await authorization(walk, [*server.said.values()])


async def authorization(walk: Walk, said: list[str]) -> None:
    """Every kind of question, steps, facts and errors with every text in them."""
    everything = " ".join(said)
    remarks = tuple(Remark(Weight.WARNING, text, text, text) for text in said)
    found = tuple((text, text) for text in said)
    steps = tuple(
        StepRecord(
            stage,
            "failed",
            everything[:200],
            everything[:200],
            found if not at else (),
            remarks if at == 1 else (),
        )
        for at, stage in enumerate(Stage)
    )
    failed = Failed(next(iter(Stage)), "denied", everything, everything)
    state = AuthState("failed", steps, facts=found, error=failed, problem=everything)
    authority = type("Told", (), {"state": state, "server_url": "https://x/" + said[4]})()
    kinds: tuple[QuestionKind, ...] = ("consent", "server", "issuer", "client", "scopes")
    page = f"https://x/{everything}"
    two = (everything, page)
    asked = [
        Question(at, kind, everything, page, two if kind == "issuer" else tuple(said))
        for at, kind in enumerate(kinds, 1)
    ]
    questions: list[Question | None] = [None, *asked]
    for question in questions:
        person = type("Asking", (), {"question": question, "remarks": tuple(said[:6])})()
        with (
            patch.object(AuthScreen, "authority", PropertyMock(return_value=authority)),
            patch.object(AuthScreen, "person", PropertyMock(return_value=person)),
        ):
            screen = AuthScreen()
            walk.app.push_screen(screen)
            what = question.kind if question is not None else "steps"
            await walk.pages(
                f"authorization, {what}",
                key="pageup",
                most=walk.most(2) if question else walk.most(10),
            )
            screen.dismiss()
            await walk.pilot.pause()


async def lost(walk: Walk, server: Everything) -> None:
    """The names of a server in the heading, and what is said of its end."""
    session = walk.app.bridge.workbench.session
    for name, text in walk.some(server.said.items(), 6):
        info: dict[str, Json] = {"name": text, "title": text, "version": text}
        session.engine.state = replace(session.state, server_info=info)
        main(walk.app).refresh_lines()
        await walk.look(f"heading, {name}")
    everything = " ".join(server.said.values())
    transport = server.transports[-1]

    async def end() -> None:
        transport.end(Closed(everything, expected=False))

    await walk.app.bridge.run(end)
    await walk.until(lambda: not session.state.ready)
    await walk.look("lost")
    main(walk.app).show_status()
    await walk.pages("status")
