"""A small stdio server as one finds them: it works, and breaks the specification here and there.

What the pictures of findings, call trees and hanging requests are made of. `python
weather_server.py` starts it, `--mended` the same a release later, without the faults and with
tools that changed. Standard library only.
"""

import json
import sys
import time
from typing import Any

Message = dict[str, Any]
MENDED = "--mended" in sys.argv
TEXT = {"type": "string"}
STEP = 0.12
"""Seconds that a piece of work takes."""


def say(message: Message) -> None:
    """One message on stdout."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def tool(name: str, about: str, required: list[str], **properties: Message) -> Message:
    """A tool as it is listed."""
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": about, "inputSchema": schema}


def tools() -> list[Message]:
    """What can be called."""
    units = {"type": "string", "enum": ["celsius", "kelvin"]}
    forecast = tool("forecast", "The weather of tomorrow", ["city"], city=TEXT)
    report = {"city": TEXT, "high": {"type": "number"}, "sky": TEXT}
    forecast["outputSchema"] = {"type": "object", "properties": report, "required": [*report]}
    plan = tool("plan a trip", "Finds the days with sun", ["city"], city=TEXT)
    radar = tool("radar", "The picture of the rain radar", [])
    if not MENDED:
        return [forecast, plan, radar]
    forecast["inputSchema"]["properties"]["units"] = units
    forecast["inputSchema"]["required"].append("units")
    warnings = tool("warnings", "Storms and floods that are expected", ["city"], city=TEXT)
    return [forecast, {**plan, "name": "plan_a_trip"}, warnings]


def answer(request: Message, result: Message) -> None:
    """A result."""
    say({"jsonrpc": "2.0", "id": request["id"], "result": result})


def refuse(request: Message, code: int, why: str) -> None:
    """An error."""
    say({"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": why}})


def note(method: str, **params: object) -> None:
    """A notification."""
    say({"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params})


def words(text: str) -> Message:
    """A result that is text."""
    return {"content": [{"type": "text", "text": text}]}


def forecast(request: Message, city: str) -> None:
    """A report, whose number is none."""
    if not MENDED:
        print(f"fetching {city} ...", flush=True)
    time.sleep(STEP)
    report = {"city": city, "high": 21.5 if MENDED else "21.5", "sky": "clear"}
    answer(request, {**words(json.dumps(report)), "structuredContent": report})


def plan(request: Message, city: str) -> None:
    """A call with progress, a log message and two questions."""
    token = request["params"].get("_meta", {}).get("progressToken")
    note("progress", progressToken=token, progress=1, total=3, message=f"Weather of {city}")
    note("message", level="info" if MENDED else "verbose", logger="trips", data="7 days to choose")
    time.sleep(STEP)
    prompt = {"type": "text", "text": "Which of these days suits a hike?"}
    asked = {"messages": [{"role": "user", "content": prompt}], "maxTokens": 60}
    ask("sampling/createMessage", asked)
    note("progress", progressToken=token, progress=2, total=3, message="Days compared")
    time.sleep(STEP)
    who = {"type": "object", "properties": {"name": TEXT}, "required": ["name"]}
    ask("elicitation/create", {"message": "Whom shall I book for?", "requestedSchema": who})
    if not MENDED:
        note("progress", progressToken=token, progress=1, total=3, message="Booking")
    answer(request, words("Saturday and Sunday are yours."))


def ask(method: str, params: Message) -> None:
    """A question, and its answer from the next line."""
    say(
        {
            "jsonrpc": "2.0",
            "id": f"ask-{method.partition('/')[0]}",
            "method": method,
            "params": params,
        }
    )
    sys.stdin.readline()


def call(request: Message) -> None:
    """A tool."""
    given = request["params"].get("arguments", {})
    match request["params"]["name"]:
        case "forecast":
            forecast(request, given.get("city", ""))
        case "plan a trip" | "plan_a_trip":
            plan(request, given.get("city", ""))
        case "radar" if not MENDED:
            print("radar: waiting for the upstream", file=sys.stderr, flush=True)
        case name:
            refuse(request, -32602, f"Unknown tool: {name}")


def main() -> None:
    """Until stdin ends."""
    can: Message = {"tools": {}, "resources": {}}
    if MENDED:
        can["logging"] = {}
    who = {"name": "weather", "version": "1.1.0" if MENDED else "1.0.0"}
    for line in sys.stdin:
        request: Message = json.loads(line)
        match request.get("method"):
            case "initialize":
                version = request["params"]["protocolVersion"]
                opened = {"protocolVersion": version, "capabilities": can, "serverInfo": who}
                answer(request, opened)
            case "ping" | "logging/setLevel":
                answer(request, {})
            case "tools/list":
                answer(request, {"tools": tools()})
            case "resources/list":
                answer(request, {"resources": [{"uri": "weather://stations", "name": "stations"}]})
            case "resources/templates/list":
                answer(request, {"resourceTemplates": []})
            case "resources/read":
                page = {
                    "uri": "weather://stations",
                    "mimeType": "text/plain",
                    "text": "Bern, Kyoto",
                }
                answer(request, {"contents": [page]})
            case "tools/call":
                call(request)
            case _ if "id" in request and "method" in request:
                refuse(request, -32601, "Method not found")


if __name__ == "__main__":
    main()
