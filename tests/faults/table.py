"""The fault table: what a peer, the disk or the terminal may do, and that each is met by a test.

A row has a number, a name, and the places where it can happen: `S` stdio, `H` Streamable HTTP,
`E` HTTP+SSE, `R` the recording, `*` any. Tests are registered twice over: `wire` is what the core
does (the outcome of calls, the journal, processes, memory), `screen` what the interface shows.
`test_faults.py` runs all that is registered as one parametrised suite and holds that nothing of
this table is missing.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

Check = Callable[[str, Path], Awaitable[None]]
"""Meets a fault. Is given the letter of the place and an empty directory; asserts."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One row: `on` says where it happens."""

    number: int
    name: str
    on: str


FAULTS: Final = tuple(
    Fault(number, name, on)
    for number, name, on in (
        (1, "command not found, or not executable", "S"),
        (2, "exits before initialize with code 3", "S"),
        (3, "exits in a call, or by SIGSEGV", "S"),
        (4, "never answers initialize", "SHE"),
        (5, "never answers a call", "SHE"),
        (6, "junk on stdout", "S"),
        (7, "invalid UTF-8 in an answer", "SHE"),
        (8, "an answer of depth 1000", "SHE"),
        (9, "a line of 64 MiB", "S"),
        (10, "1 GiB without a newline", "S"),
        (11, "a wrong id", "SHE"),
        (12, "an answer twice", "SHE"),
        (13, "an id of another type", "SHE"),
        (14, "an answer to a notification; a batch", "SHE"),
        (15, "NaN, duplicate keys, 1e400", "SHE"),
        (16, "a million notifications", "SHE"),
        (17, "a flood on stderr", "S"),
        (18, "stops reading stdin", "S"),
        (19, "closes stdout and lives on", "S"),
        (20, "ignores EOF and SIGTERM", "S"),
        (21, "a grandchild holds the pipes, or leaves the group", "S"),
        (22, "the inspector is killed by SIGKILL", "S"),
        (23, "no such host; refused; a bad certificate", "HE"),
        (24, "accepts, and sends no byte", "HE"),
        (25, "a reset in the header, and in the body", "HE"),
        (26, "drips byte by byte", "HE"),
        (27, "a header of 200 KB", "HE"),
        (28, "a gzip bomb; endless JSON", "HE"),
        (29, "an SSE event that never ends", "HE"),
        (30, "the stream closes before the answer", "HE"),
        (31, "a stream of comments only", "HE"),
        (32, "404 to the session id", "H"),
        (33, "202, 204, HTML or 500 in place of JSON", "HE"),
        (34, "429 or 503 with Retry-After", "HE"),
        (35, "redirects: another origin, a circle, a 302", "HE"),
        (36, "401 in the session, and refresh works", "HE"),
        (37, "refresh answers 400, 500, or nothing", "HE"),
        (38, "always 401; step-up without end", "HE"),
        (39, "the authorization server is gone before the token", "HE"),
        (40, "the callback's port is taken; the page is closed", "HE"),
        (41, "the clock jumps by an hour", "HE"),
        (42, "no space; an I/O error; the file is deleted", "R"),
        (43, "killed while recording", "R"),
        (44, "the terminal is not read", "*"),
        (45, "the terminal hangs up; SIGTERM; SIGINT in a call", "*"),
        (46, "resizes without end, to 1 x 2", "*"),
    )
)
"""Rows 47 to 49 are about a tap, which there is not."""

WIRE: Final[dict[tuple[int, str], list[Check]]] = {}
SCREEN: Final[dict[tuple[int, str], list[Check]]] = {}


def wire(number: int, on: str) -> Callable[[Check], Check]:
    """Registers what the core does about a fault, in each of the places of `on`."""
    return _into(WIRE, number, on)


def screen(number: int, on: str) -> Callable[[Check], Check]:
    """Registers what the interface shows of a fault, in each of the places of `on`."""
    return _into(SCREEN, number, on)


def _into(
    table: dict[tuple[int, str], list[Check]], number: int, on: str
) -> Callable[[Check], Check]:
    fault = next(one for one in FAULTS if one.number == number)
    assert set(on) <= set(fault.on), f"row {number} is about {fault.on}, not {on}"

    def register(check: Check) -> Check:
        for place in on:
            table.setdefault((number, place), []).append(check)
        return check

    return register
