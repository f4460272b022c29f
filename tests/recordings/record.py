"""`python -m tests.recordings.record`: records the sessions that pictures and snapshots play.

The real core meets real servers: the built-in demo over stdio, and npm's server-everything over
Streamable HTTP where node and the package are found (see CONTRIBUTING), and a server with faults,
`tests.servers.weather_server`. All run in a directory of their own and are started by a bare name,
so that nothing of this machine gets into the files. Names of recordings as arguments choose.
Every request that a scene of `tests.recordings.scenes` makes has to be made here first.
"""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from inspector.protocol.messages import JsonObject
from inspector.session.asks import AskKind, Policy
from inspector.session.catalog import ListKind
from inspector.session.options import Options
from inspector.session.pending import Call
from inspector.session.session import Session
from inspector.workbench import Workbench
from tests.recordings.stage import DEMO, EVERYTHING, FOLDER, MENDED, MODERN, WEATHER, Part
from tests.servers import real, weather_server

SECONDS: Final = 60.0
PORT: Final = 3001
UNANSWERED: Final = 0.4
"""Seconds in which a server could still have answered."""
LISTS: Final[tuple[ListKind, ...]] = ("tools", "resources", "resourceTemplates", "prompts")
ANSWERS: Final[dict[AskKind, JsonObject]] = {
    "elicitation": {"action": "accept", "content": {"name": "Ada", "size": "M"}},
    "elicitation-url": {"action": "accept"},
    "sampling": {
        "role": "assistant",
        "content": {"type": "text", "text": "Forty-two."},
        "model": "small-1",
        "stopReason": "endTurn",
    },
    "roots": {"roots": [{"uri": "file:///srv/project", "name": "project"}]},
}


async def _tool(session: Session, name: str, arguments: JsonObject | None = None) -> None:
    """Calls a tool as the form does that nobody touched: with the defaults of its schema."""
    sent: JsonObject = {}
    match session.catalog["tools"].find("name", name):
        case {"inputSchema": {"properties": dict(properties)}}:
            for key, schema in properties.items():
                if isinstance(schema, dict) and schema.get("default") is not None:
                    sent[key] = schema["default"]
    await _done(await session.call_tool(name, {**sent, **(arguments or {})}))


async def _done(call: Call) -> None:
    outcome = await call.wait()
    print(f"  {call.method:<20} {call.label:<24} {type(outcome).__name__}", file=sys.stderr)


async def _demo(session: Session) -> None:
    """What the scenes on the demo server do."""
    await session.ping()
    await session.set_log_level("debug")
    await _tool(session, "add", {"a": 2, "b": 3})
    await _tool(session, "forecast", {"city": "Bern"})
    await _tool(session, "draw")
    await _tool(session, "fail")
    await _tool(session, "refuse")
    await _tool(session, "log")
    for name in ("ask_form", "ask_url", "ask_model", "show_roots"):
        await _tool(session, name)
    for name in ("readme", "settings.json", "logo.png", "counter"):
        await _done(await session.read_resource(f"demo://{name}"))
    await session.subscribe("demo://counter")
    await _tool(session, "count")
    await _done(await session.get_prompt("introduce"))
    trip: JsonObject = {"type": "ref/prompt", "name": "trip"}
    for value in ("", "Japan"):
        await session.complete(trip, "country", value)
    for value in ("", "Kyoto"):
        await session.complete(trip, "city", value, {"country": "Japan"})
    await session.complete(trip, "days", "", {"country": "Japan", "city": "Kyoto"})
    await _done(
        await session.get_prompt("trip", {"country": "Japan", "city": "Kyoto"}),
    )


async def _modern(session: Session) -> None:
    """What the scenes in the modern era do; the listen stream stays open until the end."""
    await session.subscriptions.resume()
    await _tool(session, "add", {"a": 2, "b": 3})
    for name in ("ask_form", "ask_model", "show_roots"):
        await _tool(session, name)


async def _everything(session: Session) -> None:
    """What the scenes on npm's server-everything do."""
    await _tool(session, "echo", {"message": "hello"})
    await _tool(session, "get-structured-content", {"location": "Chicago"})


async def _weather(session: Session) -> None:
    """A morning with a server that breaks the specification here and there."""
    await _tool(session, "forecast", {"city": "Bern"})
    await _done(await session.read_resource("weather://stations"))
    await _tool(session, "plan a trip", {"city": "Bern"})
    await session.call_tool("radar", {})
    await asyncio.sleep(UNANSWERED)
    await session.ping()


async def _mended(session: Session) -> None:
    """The same with the release after that."""
    await _tool(session, "forecast", {"city": "Bern", "units": "celsius"})
    await _done(await session.read_resource("weather://stations"))
    await _tool(session, "plan_a_trip", {"city": "Bern"})
    await _tool(session, "radar", {})


async def _record(part: Part, does: Callable[[Session], Awaitable[None]]) -> None:
    path = FOLDER / f"{part.name}.jsonl"
    path.unlink(missing_ok=True)
    policies: Mapping[AskKind, Policy] = {
        kind: Policy("answer", answer) for kind, answer in ANSWERS.items()
    }
    options = Options(
        protocol=part.protocol, record=path, policies=policies, client_version="0.1.0"
    )
    print(path.name, file=sys.stderr)
    async with asyncio.timeout(SECONDS), Workbench(part.target, options=options) as bench:
        state = await bench.connect()
        if state.error is not None:
            raise state.error
        for kind in LISTS:
            await bench.session.catalog.refresh(kind)
        await does(bench.session)
    _end_with_our_last_word(path)
    path.chmod(0o644)
    if str(Path.home()).encode() in path.read_bytes():
        raise SystemExit(f"{path.name} names the home directory; look where that comes from")


def _end_with_our_last_word(path: Path) -> None:
    """Leaves out what the server said while it was ended: a replay would say it at once."""
    lines = path.read_bytes().splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if b'"dir":"out"' in line)
    answers = [number for number, line in enumerate(lines) if b'"event":"stdin-closed"' in line]
    path.write_bytes(b"".join(lines[: min([n for n in answers if n > last], default=len(lines))]))


async def _main(*names: str) -> None:
    shutil.copy(weather_server.__file__, "weather.py")
    for part, does in (
        (DEMO, _demo),
        (MODERN, _modern),
        (WEATHER, _weather),
        (MENDED, _mended),
        (EVERYTHING, _everything),
    ):
        if names and part.name not in names:
            continue
        if part is EVERYTHING:
            with real.running(real.everything("streamableHttp"), PORT):
                await _record(part, does)
        else:
            await _record(part, does)


if __name__ == "__main__":
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as own:
        os.chdir(own)
        asyncio.run(_main(*sys.argv[1:]))
