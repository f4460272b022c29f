"""Walks through all screens that a session leads to, on a server whose every text is hostile."""

import json
from collections.abc import Iterable

from inspector.tui.screens.ask import AskScreen
from inspector.tui.views.asks import AsksView
from inspector.tui.views.base import View
from inspector.tui.views.findings import FindingsView
from inspector.tui.views.logs import LogsView
from inspector.tui.views.server import ServerView
from inspector.tui.views.tasks import TasksView
from inspector.tui.views.tools import ToolsView
from inspector.tui.views.tools_panes import PanesView
from inspector.tui.widgets.ask_panel import AskPanel
from tests.hostile.everything import Everything
from tests.hostile.walk import Walk
from tests.servers.hostile import Message, request
from tests.tui.world import all_judged, main, rows


async def open_tab(walk: Walk, key: str, kind: type[View]) -> View:
    """The view of a tab, once it is there."""
    await walk.press(f"alt+{key}")
    await walk.until(lambda: isinstance(main(walk.app).shown, kind))
    view = main(walk.app).shown
    assert view is not None
    await walk.until(lambda: view.is_mounted)
    await walk.look(kind.__name__)
    return view


async def server_tab(walk: Walk, server: Everything) -> None:
    """Facts and instructions to their end, all that it can do, coverage."""
    view = await open_tab(walk, "1", ServerView)
    await walk.pages("server")
    view.query_one("#server-about").focus()
    await walk.pages("server facts")
    view.query_one("#server-list").focus()
    await walk.press("c")
    await walk.pages("coverage")
    await walk.do("coverage, untried", "u")
    await walk.press("escape")


async def items(walk: Walk, key: str, kind: type[PanesView], every: int = 1) -> None:
    """The list, and the form of each item."""
    view = await open_tab(walk, key, kind)
    assert isinstance(view, PanesView)
    await walk.until(lambda: len(view.rows.items) > 100)
    await walk.pages(f"{kind.__name__} list")
    await walk.press("home")
    for place in walk.some(range(len(view.rows.items)), every):
        view.rows.go_to(place)
        await walk.until(lambda: not view.settling and view.item is view.rows.current)
        await walk.look(f"{kind.__name__} item {place}")
    await walk.press("home", "f7")
    for place in walk.some(range(len(view.rows.items)), 30):
        view.rows.go_to(place)
        await walk.until(lambda: not view.settling and view.item is view.rows.current)
        await walk.look(f"{kind.__name__} about {place}")
    await walk.press("f7", "home")


async def act(walk: Walk, key: str, kind: type[PanesView], name: str) -> None:
    """An item is called, and what came of it is read to its end."""
    view = await open_tab(walk, key, kind)
    assert isinstance(view, PanesView)
    view.show_item(name)
    await walk.until(lambda: view.item is not None and view.item.name == name and not view.settling)
    view.go_to_pane("form")
    await walk.pages(f"{kind.__name__} form of {name[:20]!r}", most=walk.most(9))
    before = view.result.past
    view.action_act()
    await walk.until(lambda: view.result.past is not None and view.result.past is not before)
    await walk.until(lambda: view.result.past is not None and view.result.past.call.done)
    view.go_to_pane("result")
    await walk.look("result")
    for _ in range(walk.most(8)):
        before_it = view.result.query_one("#result-blocks").scroll_offset
        view.result.query_one("#result-blocks").scroll_page_down(animate=False)
        await walk.look(f"{kind.__name__} result of {name[:20]!r}")
        if view.result.query_one("#result-blocks").scroll_offset == before_it:
            break
    await walk.do("history", "h")
    await walk.press("escape")


async def tell(walk: Walk, server: Everything, messages: Iterable[Message]) -> None:
    """The server says something of its own accord."""
    transport = server.transports[-1]

    async def say() -> None:
        for one in messages:
            transport.feed(json.dumps(one).encode())

    await walk.app.bridge.run(say)
    await walk.pilot.pause()


async def asks(walk: Walk, server: Everything) -> None:
    """A dialog of each kind, with every text in it; then all of them in their tab."""
    await open_tab(walk, "2", ToolsView)
    everything = "\n".join(server.said.values())
    form = {"message": everything, "requestedSchema": server.all_schema()}
    spoken = [
        {"role": text, "content": {"type": "text", "text": text}} for text in server.said.values()
    ]
    model = {
        "systemPrompt": everything,
        "messages": spoken,
        "maxTokens": 9,
        "metadata": {everything: 1},
    }
    page = {"mode": "url", "message": everything, "url": "https://x/" + server.said["bidi"]}
    kinds: list[tuple[str, Message]] = [
        ("elicitation/create", form),
        ("sampling/createMessage", model),
        ("elicitation/create", page),
    ]
    for number, (method, params) in enumerate(kinds):
        await tell(walk, server, [request(f"ask{number}", method, params)])
        await walk.until(lambda: isinstance(walk.app.screen, AskScreen))
        await walk.pages(f"dialog {method} {number}", most=walk.most(6))
        panel = walk.app.screen.query_one(AskPanel)
        panel.query_one("#ask-told").focus()
        await walk.pages(f"dialog told {method} {number}", most=walk.most(4))
        if method == "sampling/createMessage":
            await walk.do("the request, to be edited", "f7")
            await walk.pages("the request, to be edited")
            await walk.press("escape")
        await walk.press("escape")
        await walk.until(lambda: not isinstance(walk.app.screen, AskScreen))
    view = await open_tab(walk, "5", AsksView)
    assert isinstance(view, AsksView)
    await tell(walk, server, server.asks("elicitation/create")[::2])
    await tell(walk, server, server.asks("elicitation/create")[1::2])
    await walk.until(lambda: len(view.asks.items) > len(server.said))
    await walk.pages("asks")
    await walk.press("home")
    for place in walk.some(range(len(view.asks.items)), 21):
        view.asks.go_to(place)
        await walk.look(f"ask {place}")
    await walk.press("ctrl+d")


async def tasks(walk: Walk) -> None:
    """The list of tasks, and each of them."""
    view = await open_tab(walk, "6", TasksView)
    assert isinstance(view, TasksView)
    await walk.press("u")
    await walk.until(lambda: len(view.tasks.items) > 90)
    await walk.pages("tasks")
    await walk.press("home")
    for place in walk.some(range(len(view.tasks.items)), 9):
        view.tasks.go_to(place)
        await walk.look(f"task {place}")


async def logs(walk: Walk, server: Everything) -> None:
    """Lines of the log and of stderr."""
    await open_tab(walk, "8", LogsView)
    journal = walk.app.bridge.workbench.journal

    async def write() -> None:
        for text in server.said.values():
            journal.stderr(text.encode("utf-8", "surrogatepass") + b" \x9b2J\xff", connection=1)

    await walk.app.bridge.run(write)
    await tell(walk, server, server.logs())
    await walk.pages("logs", key="pageup", most=20)


async def findings(walk: Walk) -> None:
    """What is wrong with the server, which names what it said."""
    view = await open_tab(walk, "7", FindingsView)
    await walk.until(lambda: all_judged(walk.app))
    await walk.press("end", "home")
    await walk.pages("findings", key="down", most=walk.most(15))
    await walk.pages("findings, pages")
    view.query_one("#finding-body").focus()
    await walk.pages("finding, its words")


async def traffic(walk: Walk) -> None:
    """The list of entries, the detail of many, and all that is drawn of them."""
    await walk.press("ctrl+t", "ctrl+t", "ctrl+g")
    await walk.pages("traffic", key="pageup", most=walk.most(12))
    await walk.press("home", "enter")
    count = len(walk.app.bridge.workbench.journal)
    for place in walk.some(range(1, count), max(1, count // 30)):
        main(walk.app).show_entry(place)
        await walk.look(f"entry {place}")
    body = walk.app.bridge.workbench.journal.body
    call = next((number for number in range(1, count) if b'"tools/call"' in body(number)), 2)
    for entry in (call, call + 1, 2):
        main(walk.app).show_entry(entry)
        for view in range(6):
            await walk.do(f"entry {entry}, view {view}", "v")
            await walk.pages(f"entry {entry}, view {view}", most=walk.most(1))
    await walk.press("q", "ctrl+g", "ctrl+g")
    main(walk.app).show_entry(call)
    await walk.press("q")
    rows(walk.app).focus()
    await walk.do("call tree", "c")
    await walk.pages("call tree")
    await walk.do("mark", "m", "down", "d")
    await walk.pages("what differs")
    await walk.press("q")
    rows(walk.app).focus()
    await walk.do("waterfall", "w")
    await walk.pages("waterfall", key="pageup", most=6)
    await walk.press("w")
