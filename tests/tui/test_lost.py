"""After the end of a session what was seen stays in view, under a line that says how it ended."""

import json
import sys
from pathlib import Path

from inspector.config.targets import Target
from inspector.session.state import Phase
from inspector.transport.after_delete import BROKEN
from inspector.tui.app import InspectorApp
from inspector.tui.views.tools import ToolsView
from inspector.tui.widgets.lost import LostBanner
from inspector.workbench import Options, Workbench
from tests.servers.rude_http import rude_http
from tests.tui.world import main, text_of, wait_for

PROGRAM = """
import json, os, sys
if os.path.exists(sys.argv[1]):
    sys.exit("not again")
for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if method == "tools/call":
        print("out of \\x1b[31m memory", file=sys.stderr, flush=True)
        open(sys.argv[1], "w").close()
        os._exit(9)
    result = {
        "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                       "serverInfo": {"name": {"odd": True}, "version": 1}},
        "tools/list": {"tools": [{"name": "dies", "inputSchema": {"type": "object"}}]},
    }.get(method, {})
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


async def test_what_was_seen_stays_when_the_server_dies_and_cannot_be_started_again(
    tmp_path: Path,
) -> None:
    app = InspectorApp(
        lambda target: Workbench(target, options=Options(no_record=True)),
        Target((sys.executable, "-c", PROGRAM, str(tmp_path / "died"))),
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for(pilot, lambda: main(app).tab == "tools" and bool(app.query(ToolsView)))
        view = app.query_one(ToolsView)
        await wait_for(pilot, lambda: [item.name for item in view.rows.items] == ["dies"])
        await wait_for(pilot, lambda: view.item is not None)
        banner = main(app).query_one(LostBanner)
        assert not banner.display
        # An odd name is shown as the JSON that it is.
        await wait_for(
            pilot, lambda: json.dumps({"odd": True}).replace(" ", "") in text_of(main(app)._header)
        )

        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: banner.display and "F5" in text_of(banner))
        assert "last on stderr: out of ␛[31m memory" in text_of(banner)
        assert main(app).tab == "tools"
        assert [item.name for item in view.rows.items] == ["dies"]

        died = app.bridge.workbench.session
        await pilot.press("f5")
        await wait_for(pilot, lambda: app.bridge.workbench.session is not died)
        again = app.bridge.workbench.session
        await wait_for(pilot, lambda: again.state.phase is Phase.FAILED)
        await wait_for(pilot, lambda: "last on stderr: not again" in text_of(banner))
        assert main(app).tab == "tools"
        assert [item.name for item in view.rows.items] == ["dies"]

        (tmp_path / "died").unlink()
        await pilot.press("f5")
        await wait_for(pilot, lambda: app.bridge.workbench.session.state.phase is Phase.READY)
        await wait_for(pilot, lambda: not banner.display)
        app.close_bridge()


async def test_what_to_do_next_is_said_whole_in_80_columns() -> None:
    async with rude_http("breaks-at-delete") as peer:
        app = InspectorApp(
            lambda target: Workbench(target, options=Options(no_record=True)),
            Target(url=peer.url),
        )
        async with app.run_test(size=(80, 24)) as pilot:
            await wait_for(pilot, lambda: main(app).tab == "tools" and bool(app.query(ToolsView)))
            await pilot.press("f5")
            banner = main(app).query_one(LostBanner)
            await wait_for(pilot, lambda: banner.display and "HTTP 500" in text_of(banner))
            said = " ".join(text_of(banner).split())
            assert "it broke after our DELETE ended the session before" in said
            assert f"{BROKEN} F5 connect again" in said
            app.close_bridge()
