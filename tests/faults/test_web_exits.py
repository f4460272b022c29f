"""What `mcp-inspect call` says of faults of the web, how it ends, and what memory it takes: with
the caps as they are, and bombs as large as they need."""

import asyncio
import sys

import pytest

from tests.faults.rows_web_http import HTML, RESETS, bomb, endless, never_ending_event, sends
from tests.faults.rows_web_waiting import half_open
from tests.servers.rude_places import Act, Host, honest, hosting

MEGABYTES = 200
"""What an inspector may take, whatever a server sends."""
PROGRAM = """
import atexit, resource, sys
from inspector.__main__ import main
def told():
    # What getrusage tells is also what the process took that this one was forked from.
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 20
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
atexit.register(lambda: print(f"\\n{told()}", file=sys.stderr))
main()
"""
PACKED = sends(200, bomb(300), "application/json", Content_Encoding="gzip")
CASES: dict[str, tuple[str, Act, int, str]] = {
    "honest": ("H", honest, 0, ""),
    "bomb": ("H", PACKED, 4, "the body is larger than 67108864 bytes (counted after decoding)"),
    "endless JSON": ("H", endless, 4, "the body is larger than 67108864 bytes"),
    "endless event": ("H", never_ending_event, 4, "an SSE event is larger than 67108864 bytes"),
    "endless event, E": ("E", never_ending_event, 4, "so the session is over"),
    "reset": ("H", RESETS["in the body"][0], 4, "reset the connection while sending its answer"),
    "busy": ("H", sends(503, b"", "", Retry_After="7"), 3, "Retry-After: 7"),
    "HTML": ("H", sends(500, HTML, "text/html"), 4, "<h1>Nobody home ␛[31m</h1>"),
    "redirect": (
        "H",
        sends(307, Location="https://evil.example/x"),
        3,
        "https://evil.example/x, a",
    ),
    "half-open": ("E", half_open, 5, "tools/call got no answer in"),
}


@pytest.mark.parametrize("name", CASES)
async def test_a_command_ends_with_its_code_its_reason_and_little_memory(name: str) -> None:
    place, act, code, words = CASES[name]
    async with hosting(Host(place, act)) as host:
        seconds = "0.5" if name == "half-open" else "60"
        choices = ("--transport", "sse" if place == "E" else "http", "--timeout", seconds)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", PROGRAM, "call", *choices, "--no-record", "poke", host.url),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(100):
            _, said = await process.communicate()
    told, _, memory = said.decode().rstrip().rpartition("\n")
    assert words in told
    assert process.returncode == code, told
    assert int(memory) < MEGABYTES
