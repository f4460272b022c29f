"""A small stdio server that can be honest, or rude in one chosen way.

Start it with `python rude_stdio.py MODE [NUMBER]`. Every mode answers `initialize`, `ping` and
`tools/list` (one tool, `poke`) like an honest server unless it says otherwise; the rudeness comes
with `tools/call`. `MODES` lists them all. Standard library only, so that it starts quickly.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

Message = dict[str, Any]
MODE = sys.argv[1] if len(sys.argv) > 1 else "honest"
NUMBER = int(sys.argv[2]) if len(sys.argv) > 2 else 0


def write(raw: bytes) -> None:
    """Bytes on stdout, whole."""
    sys.stdout.buffer.write(raw)
    sys.stdout.buffer.flush()


def say(message: object) -> None:
    """One message, one line."""
    write(json.dumps(message).encode() + b"\n")


def log(text: str) -> None:
    """One line on stderr."""
    print(text, file=sys.stderr, flush=True)


def answer(request: Message, text: str = "ok", request_id: object = None) -> Message:
    """An honest answer to a tool call."""
    shown = request["id"] if request_id is None else request_id
    result = {"content": [{"type": "text", "text": text}]}
    return {"jsonrpc": "2.0", "id": shown, "result": result}


def notification(number: int = 0) -> Message:
    """A logging notification."""
    params = {"level": "info", "data": f"note {number}"}
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": params}


def junk_on_stdout(request: Message) -> None:
    write(b"Server listening...\n\n{'python': 'dict'}\n" + json.dumps({"level": "info"}).encode())
    write(b"\n")
    say(answer(request))


def duplicate(request: Message) -> None:
    say(answer(request, "first"))
    say(answer(request, "second"))


def invalid_utf8(request: Message) -> None:
    head = json.dumps(answer(request, "bad")).encode()
    write(head.replace(b"bad", b"b\xffd") + b"\n")


def deep(request: Message) -> None:
    depth = NUMBER or 1000
    nested = b"[" * depth + b"]" * depth
    write(b'{"jsonrpc":"2.0","id":%d,"result":{"x":%s}}\n' % (request["id"], nested))


def odd_json(request: Message) -> None:
    write(
        b'{"jsonrpc":"2.0","id":%d,"result":{"a":1.10,"a":2,"big":1180591620717411303424,'
        b'"e":1e400,"nan":NaN}}\n' % request["id"]
    )


def crash(request: Message) -> None:
    log("about to fall over")
    os._exit(NUMBER or 3)


def segfault(request: Message) -> None:
    log("about to fall over")
    os.kill(os.getpid(), signal.SIGSEGV)


def never(request: Message) -> None:
    return


def flood(request: Message) -> None:
    line = json.dumps(notification()).encode() + b"\n"
    for _ in range((NUMBER or 100_000) // 1000):
        write(line * 1000)
    say(answer(request))


def counted_flood(request: Message) -> None:
    count = NUMBER or 100_000
    said = json.dumps(notification()).replace("note 0", "note %d") + "\n"
    for first in range(0, count, 500):
        write("".join(said % n for n in range(first, min(first + 500, count))).encode())
    say(answer(request))


def dense(request: Message) -> None:
    """Very many brackets and commas, and no JSON."""
    head = b'{"jsonrpc":"2.0","id":%d,"result":[' % request["id"]
    write(head + b"{}," * ((NUMBER or 5_000_000) // 3) + b"]}\n")


def stderr_flood(request: Message) -> None:
    line = b"x" * 999 + b"\n"
    for _ in range((NUMBER or 10_000_000) // (1000 * 1000)):
        sys.stderr.buffer.write(line * 1000)
    sys.stderr.buffer.flush()
    say(answer(request))


def big(request: Message) -> None:
    head, tail = json.dumps(answer(request, "@")).encode().split(b"@")
    write(head + b"x" * (NUMBER or 5_000_000) + tail + b"\n")


def no_newline(request: Message) -> None:
    chunk = b"x" * 1_000_000
    write(b'{"jsonrpc":"2.0","id":%d,"result":{"text":"' % request["id"])
    for _ in range((NUMBER or 50_000_000) // 1_000_000):
        write(chunk)
    write(b'"}}\n')
    say(notification())


def batch(request: Message) -> None:
    say([notification(1), answer(request), {"jsonrpc": "2.0", "id": "s1", "method": "ping"}])


def ask_with_our_id(request: Message) -> None:
    say({"jsonrpc": "2.0", "id": request["id"], "method": "ping"})
    say(answer(request))


def slow_pieces(request: Message) -> None:
    for byte in json.dumps(answer(request)).encode() + b"\n":
        write(bytes([byte]))


def close_stdout(request: Message) -> None:
    sys.stdout.flush()
    os.close(1)
    time.sleep(600)


def close_stdin(request: Message) -> None:
    os.close(0)
    say(answer(request))
    time.sleep(600)


def stop_reading(request: Message) -> None:
    say(answer(request))
    time.sleep(600)


def grandchild(request: Message) -> None:
    """A helper of the same group keeps our pipes open and outlives us."""
    helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    say(answer(request, str(helper.pid)))


def daemon(request: Message) -> None:
    """A helper leaves our group and lets go of the pipes."""
    if (first := os.fork()) == 0:
        os.setsid()
        if (second := os.fork()) == 0:
            null = os.open(os.devnull, os.O_RDWR)
            for fd in (0, 1, 2):
                os.dup2(null, fd)
            time.sleep(600)
            os._exit(0)
        say(answer(request, str(second)))
        os._exit(0)
    os.waitpid(first, 0)


def dump_environment(request: Message) -> None:
    say(answer(request, json.dumps(dict(os.environ))))


MODES: dict[str, Callable[[Message], None]] = {
    "honest": lambda request: say(answer(request)),
    "junk": junk_on_stdout,
    "wrong-id": lambda request: say(answer(request, request_id=987654)),
    "id-type": lambda request: say(answer(request, request_id=str(request["id"]))),
    "duplicate": duplicate,
    "our-id": ask_with_our_id,
    "invalid-utf8": invalid_utf8,
    "deep": deep,
    "odd-json": odd_json,
    "crash": crash,
    "segfault": segfault,
    "never": never,
    "flood": flood,
    "counted-flood": counted_flood,
    "dense": dense,
    "stderr-flood": stderr_flood,
    "big": big,
    "no-newline": no_newline,
    "batch": batch,
    "slow-pieces": slow_pieces,
    "close-stdout": close_stdout,
    "close-stdin": close_stdin,
    "stop-reading": stop_reading,
    "grandchild": grandchild,
    "daemon": daemon,
    "environment": dump_environment,
    # These are rude at other moments than a tool call; see main().
    "exit-at-start": never,
    "silent": never,
    "ignore-eof": lambda request: say(answer(request)),
    "ignore-term": lambda request: say(answer(request)),
    "answers-notifications": lambda request: say(answer(request)),
}


def handle(message: Message) -> None:
    """Answers one message of the client."""
    method, request_id = message.get("method"), message.get("id")
    if request_id is None or method is None:
        if MODE == "answers-notifications":
            say({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "what?"}})
        return
    result: object
    if method == "initialize":
        result = {
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {}, "logging": {}},
            "serverInfo": {"name": f"rude-{MODE}", "version": "1"},
        }
    elif method == "tools/list":
        result = {"tools": [{"name": "poke", "inputSchema": {"type": "object"}}]}
    elif method == "tools/call":
        MODES[MODE](message)
        return
    elif method == "ping":
        result = {}
    else:
        error = {"code": -32601, "message": f"no method {method}"}
        say({"jsonrpc": "2.0", "id": request_id, "error": error})
        return
    say({"jsonrpc": "2.0", "id": request_id, "result": result})


def main() -> None:
    """Serves stdin until it ends, or longer where the mode is that rude."""
    if MODE == "exit-at-start":
        for number in range(30):
            log(f"reason {number}")
        sys.exit(NUMBER or 3)
    if MODE == "ignore-term":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        if MODE != "silent":
            handle(json.loads(line))
    while MODE in ("ignore-eof", "ignore-term"):
        time.sleep(600)


if __name__ == "__main__":
    main()
