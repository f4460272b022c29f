"""A stdio server that is rude on the wire itself: at every stage, in bytes, ids, shapes and timing.

Start it with `python -m tests.servers.rude_wire MODE TEE [CASE]...`; whatever it puts on stdout is
first appended to the file TEE, so that a test can compare it with the journal, byte for byte. Tools
are `poke`, rude in most modes, and `good`, honest in all. `MODES` maps a mode to what
it does instead at some stages: "start", a method, or "poke". Standard library only, so that it
starts quickly.
"""

import json
import os
import signal
import sys
import time
from io import FileIO
from typing import Any

from tests.servers.rude_steps import (
    CHOSEN,
    Message,
    Step,
    ask,
    deep,
    die,
    error,
    instead,
    leave,
    line,
    listed,
    many,
    note,
    opened,
    result,
    say,
    sends,
    sleep,
    then_good,
    then_leaves,
    tool,
    write,
)


def pages_in_a_circle(m: Message) -> None:
    cursor = (m.get("params") or {}).get("cursor")
    following = "b" if cursor == "a" else "a"
    say(listed(m, [tool("poke"), tool("good")], nextCursor=following))


def together(m: Message) -> None:
    """The answer to `initialize` and requests of ours in one write."""
    asked = [ask("r1", "roots/list"), ask("p1", "ping"), ask(m["id"], "roots/list")]
    write(line(opened(m)) + b"".join(map(line, asked)))


def floods_stderr(m: Message) -> None:
    colours = b"\x1b[31;1mERROR\x1b[0m \x1b]0;title\x07\x1b[2J\x9b31m \xff\xfe bad\r\n"
    for _ in range(100):
        os.write(2, colours * 500)


def never_answered_then_withdrawn(m: Message) -> None:
    body = {"messages": [], "maxTokens": 5}
    say(ask("s1", "sampling/createMessage", **body))
    say(note("notifications/cancelled", requestId="s1", reason="changed my mind"))


def changes_with_each_list(m: Message) -> None:
    say(listed(m, [tool("poke"), tool("good")]))
    say(note("notifications/tools/list_changed"))


def from_the_corpus(m: Message) -> None:
    from tests.servers.rude_corpus import CASES

    named = (m["params"].get("arguments") or {}).get("case")
    write(CASES[named or CHOSEN.cases.pop(0)].written(m["id"]))


def spoilt(m: Message) -> None:
    """Its answer with a bad byte at the place that its argument names."""
    place, raw = int(m["params"]["arguments"]["place"]), line(result(m["id"]))
    bad = (b"\xff", b"\x00", b'"', b"\x1b", b"}", b"\r", b"\n")[place % 7]
    place = min(place, len(raw) - 2)  # a line end that is none spoils the next line too
    write(raw[:place] + bad + raw[place + place % 2 :])


def pages_without_end(m: Message) -> None:
    cursor = int((m.get("params") or {}).get("cursor") or 0)
    say(listed(m, [tool(f"t{cursor}")], nextCursor=str(cursor + 1)))


def pages_with_many(m: Message) -> None:
    cursor = int((m.get("params") or {}).get("cursor") or 0)
    found = [{**tool(f"t{cursor}-{n}"), "description": "d" * 1000} for n in range(200)]
    say(listed(m, found, nextCursor=str(cursor + 1)))


def closes_stdout(m: Message) -> None:
    os.close(1)
    time.sleep(600)


ODD_TOOLS: list[Any] = [
    None,
    7,
    "poke",
    [],
    {},
    {"name": None},
    {"name": 3},
    {"inputSchema": {"type": "object"}},
    tool("poke"),
    tool("good"),
    tool("good"),
    tool("x" * 10_000),
    tool(""),
    {"name": "schema-list", "inputSchema": []},
    {"name": "schema-true", "inputSchema": True},
    {"name": "schema-text", "inputSchema": "object"},
    {"name": "no-schema"},
    {"name": "text-props", "inputSchema": {"type": "object", "properties": "none"}},
    {"name": "odd", "description": 5, "title": [], "annotations": "x", "inputSchema": {}},
    tool("\x1b[31mred\x1b[0m"),
    tool("[bold]markup[/nope]"),
    tool("\ud800"),
]

MODES: dict[str, dict[str, Step]] = {
    "honest": {},
    # what it answers is said by the argument `case`, else by the command line, call by call
    "corpus": {"poke": from_the_corpus},
    "spoilt": {"poke": spoilt},
    # bytes
    "banner": {"start": lambda _: write(b"Server v1\n\x1b[31mlistening\x1b[0m\n\n")},
    "glued-banner": {"start": lambda _: write(b"Listening... ")},
    "bom-first": {"start": lambda _: write(b"\xef\xbb\xbf")},
    "utf-16": {"poke": lambda m: write(line(result(m["id"])).decode().encode("utf-16"))},
    "utf-16-all": {"initialize": lambda m: write(line(opened(m)).decode().encode("utf-16"))},
    "latin-1": {
        "poke": lambda m: write(b'{"jsonrpc":"2.0","id":%d,"result":{"\xe9":1}}\n' % m["id"])
    },
    "pretty-first": {
        "initialize": lambda m: write(json.dumps(opened(m), indent=2).encode() + b"\n")
    },
    "content-length": {
        "poke": lambda m: write(b"Content-Length: 77\r\n\r\n" + line(result(m["id"])))
    },
    "no-last-newline": {"poke": then_leaves(lambda m: write(json.dumps(result(m["id"])).encode()))},
    # ids and shapes
    "before-asked": {
        "notifications/initialized": sends(
            result(2, "early"), result(3, "early"), result(9, "early")
        )
    },
    "answers-twice": {"poke": then_good(instead(lambda i: result(i, "the first")))},
    "answers-and-fails": {
        "poke": then_good(instead(lambda i: error(i, {"code": -1, "message": "no"})))
    },
    "id-null": {"poke": instead(lambda i: result(None))},
    "batch": {
        "poke": lambda m: say(
            [result(m["id"]), ask("b1", "ping"), note("notifications/message"), [], 3, result(77)]
        )
    },
    # requests and notifications of the server
    "with-initialize": {"initialize": together},
    "before-initialize": {"start": sends(ask("r0", "roots/list"), ask("p0", "ping"))},
    "withdrawn": {"poke": then_good(never_answered_then_withdrawn)},
    "unknown-requests": {"poke": then_good(many(ask("u", "no/such"), 1000))},
    "many-asks": {"poke": then_good(many(ask("m", "sampling/createMessage", messages=[]), 2000))},
    "pings": {"poke": then_good(many(ask("p", "ping"), 20_000))},
    # lists
    "odd-tools": {"tools/list": lambda m: say(listed(m, ODD_TOOLS))},
    "endless-list": {"tools/list": pages_without_end},
    "list-grows": {"tools/list": pages_with_many},
    "same-cursor": {"tools/list": lambda m: say(listed(m, [tool("good")], nextCursor="c"))},
    "tools-object": {"tools/list": lambda m: say(listed(m, {"poke": tool("poke")}))},
    "tools-null": {"tools/list": lambda m: say(listed(m, None))},
    "tools-missing": {"tools/list": lambda m: say({"jsonrpc": "2.0", "id": m["id"], "result": {}})},
    "list-fails": {"tools/list": instead(lambda i: error(i, {"code": -32603, "message": "boom"}))},
    "cursor-loop": {"tools/list": pages_in_a_circle},
    "cursor-number": {"tools/list": lambda m: say(listed(m, [tool("good")], nextCursor=7))},
    "changes-with-each-list": {"tools/list": changes_with_each_list},
    # endings
    "dies-in-call": {"poke": die(signal.SIGKILL)},
    "aborts-in-call": {"poke": die(signal.SIGABRT)},
    "dies-in-list": {"tools/list": die(signal.SIGSEGV)},
    "dies-in-initialize": {"initialize": die(signal.SIGTERM)},
    "exits-after-initialize": {"initialize": then_leaves(lambda m: say(opened(m)))},
    "exits-after-initialized": {"notifications/initialized": leave(0)},
    "exits-in-list": {"tools/list": leave(0)},
    "exits-at-once": {"start": leave(0)},
    "sleeps-at-once": {"start": sleep},
    "sleeps-in-initialize": {"initialize": sleep},
    "sleeps-after-initialize": {"notifications/initialized": sleep},
    "sleeps-in-list": {"tools/list": sleep},
    "sleeps-in-call": {"poke": sleep},
    "closes-stdout-at-once": {"start": closes_stdout},
    "closes-stdout-in-list": {"tools/list": closes_stdout},
    # amounts
    "logs": {
        "poke": then_good(many(note("notifications/message", level="info", data="x"), 20_000))
    },
    "progress-flood": {
        "poke": lambda m: then_good(
            many(
                note(
                    "notifications/progress",
                    progressToken=m["params"].get("_meta", {}).get("progressToken"),
                    progress=1,
                ),
                20_000,
            )
        )(m)
    },
    "changed-flood": {"poke": then_good(many(note("notifications/tools/list_changed"), 20_000))},
    "junk-flood": {"poke": then_good(lambda _: write(b"oops\n" * 20_000))},
    "orphan-flood": {"poke": then_good(many(result("nobody"), 20_000))},
    "depth-1000": {"poke": deep(1000)},
    "depth-100000": {"poke": deep(100_000)},
    "stderr-flood": {"poke": then_good(floods_stderr)},
}


def handle(message: Message) -> None:
    """Answers one message, rudely where the mode says so."""
    method, request_id = str(message.get("method", "")), message.get("id")
    stage = method
    if method == "tools/call" and message["params"].get("name") == "poke":
        stage = "poke"
    step = MODES[CHOSEN.mode].get(stage)
    if step is not None:
        step(message)
    elif request_id is None or not method:
        return
    elif method == "initialize":
        say(opened(message))
    elif method == "tools/list":
        say(listed(message, [tool("poke"), tool("good")]))
    elif method in ("tools/call", "ping"):
        say(result(request_id, "good"))
    else:
        say(error(request_id, {"code": -32601, "message": f"no method {method}"}))


def main() -> None:
    """Serves stdin until it ends."""
    CHOSEN.mode = sys.argv[1]
    if len(sys.argv) > 2 and sys.argv[2] != "-":
        CHOSEN.tee = FileIO(sys.argv[2], "a")
    CHOSEN.cases = sys.argv[3:]
    start = MODES[CHOSEN.mode].get("start")
    if start is not None:
        start({})
    for text in sys.stdin.buffer:
        handle(json.loads(text))


if __name__ == "__main__":
    main()
