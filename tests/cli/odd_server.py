"""A stdio server in a few lines that answers exactly what a test wants, odd spellings included.

Run as a program: `python odd_server.py MODE [FILE]`. Every message received is appended to FILE.
"""

import json
import os
import signal
import sys
import time

TOOLS_1 = (
    '{"name":"odd","inputSchema":{"type":"object"},"x":1.10,"big":123456789012345678901234567890,'
    '"e":1E5,"dup":1,"dup":2,"\\u0061":"\\/"}'
)
TOOLS_2 = '{"inputSchema":7},"not an object",null,{"name":"last\\u001b]0;x\\u0007"}'
RESULT = '{"content":[{"type":"text","text":"\u202ehi"}],"z":1.10,"a":1e2,"_meta":{"k":-0}}'
CAPABILITIES = {
    "default": '{"tools":{},"resources":{},"prompts":{}}',
    "bare": "{}",
    "task": '{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}',
}
REVISIONS = {"task": "2025-11-25"}
TASK = (
    '"taskId":"t1","status":"completed","ttl":null,"createdAt":"2025-11-25T10:30:00Z",'
    '"lastUpdatedAt":"2025-11-25T10:30:00Z"'
)


def send(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass") + b"\n")
    sys.stdout.buffer.flush()


def reply(message: dict[str, object], result: str) -> None:
    send(f'{{"jsonrpc":"2.0","id":{json.dumps(message["id"])},"result":{result}}}')


def fail(message: dict[str, object], error: str) -> None:
    send(f'{{"jsonrpc":"2.0","id":{json.dumps(message["id"])},"error":{error}}}')


def call(mode: str, message: dict[str, object]) -> None:
    if mode == "hang":
        return
    params = message["params"]
    if mode == "task" and isinstance(params, dict):
        if "task" in params:
            reply(message, f'{{"task":{{{TASK}}}}}')
        else:
            fail(message, '{"code":-32601,"message":"this tool runs as a task only"}')
        return
    if mode == "die":
        print("Traceback: something \x1b[31mbad\x1b[0m", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    elif mode == "malformed":
        send(f'{{"jsonrpc":"2.0","id":{json.dumps(message["id"])},"result":{{"a":}}')
    elif mode == "error":
        fail(message, '{"code":-32000,"message":"no \\u001b[2J","extra":1.10,"data":null}')
    elif mode == "long":
        reply(message, '{"content":[{"type":"text","text":"' + "x" * 1_000_000 + '"}]}')
    elif mode == "no-object":
        reply(message, '[1, 2.50, "\\u202e"]')
    elif mode == "is-error":
        reply(message, '{"isError":true,"content":[{"type":"text","text":"broken"}]}')
    else:
        reply(message, RESULT)


def answer(mode: str, message: dict[str, object]) -> None:
    method = message.get("method")
    params = message.get("params")
    if method == "initialize":
        if mode == "refuse":
            fail(message, '{"code":-32603,"message":"not today"}')
            return
        capabilities = CAPABILITIES.get(mode, CAPABILITIES["default"])
        reply(
            message,
            f'{{"protocolVersion":"{REVISIONS.get(mode, "2025-06-18")}",'
            f'"capabilities":{capabilities},'
            '"serverInfo":{"name":"odd","version":"1.10","n":1.10}}',
        )
    elif method == "tools/list":
        cursor = params.get("cursor") if isinstance(params, dict) else None
        if mode == "task":
            reply(message, '{"tools":[{"name":"odd","execution":{"taskSupport":"required"}}]}')
        elif mode == "deep":
            schema = '{"items":' * 5000 + "{}" + "}" * 5000
            reply(
                message,
                '{"tools":[{"name":"a","n":1.10},{"name":"b","inputSchema":'
                f'{schema}}},{{"name":"c","inputSchema":{{"default":NaN}}}},{{"name":"d"}}]}}',
            )
        elif mode == "loop":
            reply(message, f'{{"tools":[{TOOLS_1}],"nextCursor":"again"}}')
        elif cursor is None:
            reply(message, f'{{"tools":[{TOOLS_1}],"nextCursor":"p2"}}')
        else:
            reply(message, f'{{"tools":[{TOOLS_2}]}}')
    elif method == "resources/templates/list":
        fail(message, '{"code":-32601,"message":"none"}')
    elif method in ("resources/list", "prompts/list"):
        reply(message, f'{{"{str(method).split("/")[0]}":[]}}')
    elif method == "tools/call":
        call(mode, message)
    elif "id" in message and method is not None:
        reply(message, RESULT)


def main() -> None:
    mode = sys.argv[1]
    log = open(sys.argv[2], "ab", buffering=0) if len(sys.argv) > 2 else None  # noqa: SIM115
    if mode == "silent":
        time.sleep(600)
    print("the odd server is up", file=sys.stderr, flush=True)
    for line in sys.stdin.buffer:
        if log is not None:
            log.write(line)
        answer(mode, json.loads(line))


if __name__ == "__main__":
    main()
