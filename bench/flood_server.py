"""A stdio server for the flood benchmarks: prebuilt notifications at a given rate.

It answers `initialize`, empty lists and `ping`; after `notifications/initialized` it waits one
second, then writes COUNT log messages of SIZE bytes at RATE a second (0 = as fast as accepted),
then appends to the file named by REPORT how long its writes took.

    python bench/flood_server.py COUNT SIZE RATE REPORT
"""

import json
import sys
import threading
import time

count, size, rate, report = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]


def notification(number: int) -> bytes:
    body = {
        "jsonrpc": "2.0",
        "method": "notifications/message",
        "params": {"level": "info", "logger": "flood", "data": {"n": number, "pad": ""}},
    }
    text = json.dumps(body)
    padded = text.replace('"pad": ""', '"pad": "' + "x" * max(0, size - len(text)) + '"')
    return padded.encode() + b"\n"


messages = [notification(number) for number in range(count)]
lock = threading.Lock()


def write(data: bytes) -> None:
    with lock:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def flood() -> None:
    time.sleep(1.0)
    started = time.perf_counter()
    step = max(1, int(rate / 100)) if rate else 500
    for first in range(0, count, step):
        write(b"".join(messages[first : first + step]))
        if rate:
            time.sleep(max(0.0, started + (first + step) / rate - time.perf_counter()))
    with open(report, "a", encoding="utf-8") as file:
        file.write(f"{time.perf_counter() - started}\n")


for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "notifications/initialized":
        threading.Thread(target=flood, daemon=True).start()
    if "id" not in message:
        continue
    method = message.get("method")
    if method == "initialize":
        result: dict[str, object] = {
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"logging": {}, "tools": {}, "resources": {}, "prompts": {}},
            "serverInfo": {"name": "flood", "version": "1"},
        }
    elif method and method.endswith("/list"):
        key = "resourceTemplates" if "templates" in method else method.split("/")[0]
        result = {key: []}
    else:
        result = {}
    write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode() + b"\n")
