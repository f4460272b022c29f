"""Rows 1 to 19 on stdio: what the interface shows of them."""

import re
from functools import partial
from pathlib import Path

from inspector.config.targets import Target
from inspector.session.state import Phase
from tests.faults.stdio import HASTY, rude_wire
from tests.faults.stdio_screen import Looked, looked
from tests.faults.table import screen
from tests.servers import real
from tests.servers.rude_corpus import CASES
from tests.transport.test_stdio import is_gone, runs
from tests.tui.world import all_judged, rows

MIB = 1024 * 1024
PARADE = {
    "printed": "stray",
    "latin-1": "malformed",
    "depth-1000": "malformed",
    "orphan": "orphan",
    "answers-twice": "duplicate",
    "id-text": "id type differs",
    "answers-a-notification": "-32600",
    "in-a-batch": "batch",
    "nan": "malformed",
    "member-twice": "",
    "out-of-range": "",
}
"""Calls one after the other in one session, each with the fault of a row, and what the traffic list
says of that."""


@screen(1, "S")
async def no_program(place: str, tmp_path: Path) -> None:
    target = Target(command=("no-such-program",), env={"PATH": f"{tmp_path}:/nowhere"})
    async with looked(target) as seen:
        await seen.phase(Phase.FAILED)
        await seen.shows("cannot start no-such-program: no such program on PATH")
        await seen.shows(f"searched {tmp_path}:/nowhere", "The configuration is at fault", "F4")


@screen(1, "S")
async def no_permission(place: str, tmp_path: Path) -> None:
    script = tmp_path / "our-script"
    script.touch()
    target = Target(command=("our-script",), env={"PATH": f"/nowhere:{tmp_path}"})
    async with looked(target) as seen:
        await seen.phase(Phase.FAILED)
        await seen.shows(f"cannot start {script}: not executable", f"chmod +x {script}")


@screen(2, "S")
async def the_last_words(place: str, tmp_path: Path) -> None:
    async with looked(real.rude_stdio("exit-at-start", 3), size=(80, 24)) as seen:
        await seen.phase(Phase.FAILED)
        await seen.shows("exited with code 3", "F5 try again", "Last lines of stderr")
        await seen.traffic_shows("reason 29")
        await seen.pilot.resize_terminal(120, 50)
        await seen.shows("exited with code 3", *(f"reason {n}" for n in range(10, 30)))
        await seen.pilot.resize_terminal(80, 24)
        await seen.pilot.press(*["down"] * 25)
        await seen.shows("reason 29")


@screen(3, "S")
async def the_signal(place: str, tmp_path: Path) -> None:
    async with looked(real.rude_stdio("segfault")) as seen:
        await seen.call()
        await seen.shows("killed by SIGSEGV", "about to fall over", "F5 connect again")
        await seen.traffic_shows("SIGSEGV")
        await seen.pilot.press("f5")
        await seen.phase(Phase.READY)


@screen(4, "S")
async def initialize_is_waited_for(place: str, tmp_path: Path) -> None:
    async with looked(rude_wire("sleeps-in-initialize"), connect_timeout=30) as seen:
        await seen.phase(Phase.NEGOTIATING)
        for seconds in (0, 1, 2):
            await seen.shows(f"initialize waits for its answer since {seconds} s")
        await seen.shows("given up after 30 s", "Ctrl+C give up")
        pid = seen.pid
        await seen.pilot.press("ctrl+c")
        await seen.phase(Phase.CLOSED)
        await seen.shows("Disconnected", "F5 try again")
        await is_gone(pid)


@screen(4, "S")
async def initialize_is_given_up(place: str, tmp_path: Path) -> None:
    async with looked(rude_wire("sleeps-in-initialize"), connect_timeout=0.5) as seen:
        await seen.phase(Phase.FAILED)
        await seen.shows("initialize got no answer in 0.5", "The server is at fault")


@screen(5, "S")
async def a_call_is_waited_for(place: str, tmp_path: Path) -> None:
    async with looked(rude_wire("corpus", "-", "nothing", "honest")) as seen:
        await seen.begin_call()
        call = seen.bench.session.calls[-1]
        for seconds in (1, 2):
            await seen.until(partial(lambda least: call.elapsed > least, seconds), seen.text)
            await seen.shows(f"{seconds}.")
        await seen.lives()
        assert not call.done
        await seen.pilot.press("ctrl+c")
        await seen.until(lambda: call.done, seen.text)
        await seen.shows("tools/call was cancelled")
        await seen.traffic_shows("notifications/cancelled")
        await seen.call()
        await seen.shows("ok")


@screen(6, "S")
async def printed_lines(place: str, tmp_path: Path) -> None:
    said = await the_parade()
    said.of("printed", "ok", "stray", "Server listening...")
    said.findings("stdio/stdout-pollution")


@screen(7, "S")
async def bytes_that_are_no_utf8(place: str, tmp_path: Path) -> None:
    said = await the_parade()
    said.of("latin-1", "not UTF-8: byte 0xE9 at offset", "malformed", "On the server's side")
    said.findings("rpc/not-json")


@screen(8, "S")
async def an_answer_nested_too_deep(place: str, tmp_path: Path) -> None:
    said = await the_parade()
    said.of("depth-1000", "nested deeper than 512 levels", "malformed")
    assert "[" * 60 in said.raw["depth-1000"]


@screen(11, "S")
async def an_orphan(place: str, tmp_path: Path) -> None:
    said = await the_parade()
    said.of("orphan", "ok", "orphan")
    said.findings("rpc/response-unknown-id")


@screen(12, "S")
async def two_answers(place: str, tmp_path: Path) -> None:
    said = await the_parade()
    said.of("answers-twice", "ok", "duplicate")
    said.findings("rpc/response-duplicate")


@screen(13, "S")
async def an_id_of_another_type(place: str, tmp_path: Path) -> None:
    said = await the_parade()
    said.of("id-text", "a string is not a number")
    said.findings("rpc/id-type-mismatch")


@screen(14, "S")
async def an_answer_to_a_notification_and_a_batch(place: str, tmp_path: Path) -> None:
    said = await the_parade()
    said.of("answers-a-notification", "ok", "-32600")
    said.of("in-a-batch", "ok", "batch")
    said.findings("rpc/error-id-missing", "rpc/batch")


@screen(15, "S")
async def odd_numbers_and_names(place: str, tmp_path: Path) -> None:
    said = await the_parade()
    said.of("nan", "NaN is no JSON number", "malformed")
    said.findings("rpc/duplicate-names", "rpc/number-range")
    assert '"a":1.10,"a":2,"b":{"c":1,"c":2}' in said.raw["member-twice"]
    assert '"a":1e400,"b":-1e400,"c":1e-400' in said.raw["out-of-range"]


class Parade:
    """What was to be seen of each case: beside its call, and of its frame as it was sent."""

    def __init__(self) -> None:
        self.seen: dict[str, str] = {}
        self.raw: dict[str, str] = {}
        self.rules = ""

    def of(self, case: str, *words: str) -> None:
        """All this was to be seen when the call of a case was over, or had its hint."""
        assert [each for each in words if each not in self.seen[case]] == [], self.seen[case]

    def findings(self, *rules: str) -> None:
        """The Findings tab named these rules."""
        assert [each for each in rules if each not in self.rules] == [], self.rules


PARADES: list[Parade] = []
"""The one of this process: eight rows look at one session."""


async def the_parade() -> Parade:
    """A call for each case, one after the other by keyboard in one session."""
    if not PARADES:
        async with looked(rude_wire("corpus", "-", *PARADE, "honest")) as seen:
            PARADES.append(await _watched(seen))
    return PARADES[0]


async def _watched(seen: Looked) -> Parade:
    parade = Parade()
    for case, word in PARADE.items():
        await seen.begin_call()
        call = seen.bench.session.calls[-1]
        if CASES[case].fate == "open":
            await seen.until(lambda: bool(call.hint), seen.text)  # noqa: B023
            await seen.shows(CASES[case].words)
        else:
            await seen.until(lambda: call.done, seen.text)  # noqa: B023
            await seen.shows(f"#{call.entry}")
        await seen.traffic_shows(word)
        parade.seen[case] = seen.text()
        if not call.done:
            await seen.pilot.press("ctrl+c")
            await seen.until(lambda: call.done, seen.text)  # noqa: B023
    await seen.pilot.press("alt+7")
    await seen.until(lambda: all_judged(seen.app), seen.text)
    for rule in ("rpc/batch", "stdio/stdout-pollution"):
        await seen.shows(rule)
    parade.rules = seen.text()
    for case in ("depth-1000", "member-twice", "out-of-range"):
        entry = next(
            call.outcome.entry
            for call, each in zip(seen.bench.session.calls[-len(PARADE) :], PARADE, strict=True)
            if each == case and call.outcome is not None
        )
        seen.app.open_entry(entry)
        await seen.pilot.pause()
        await seen.shows(f"#{entry} ")
        if not rows(seen.app).has_focus:
            await seen.pilot.press("ctrl+g")
        for _ in range(8):
            text = _unwrapped(seen)
            if "[[[[[[[[[[" in text or '"a":1e400,"b"' in text or '"a":1.10,"a":2' in text:
                break
            await seen.pilot.press("v")
        parade.raw[case] = _unwrapped(seen)
    return parade


def _unwrapped(seen: Looked) -> str:
    """What the screen shows, without blanks, scroll bars and folds of lines."""
    return re.sub("[ │┃]", "", seen.text())


@screen(9, "S")
async def a_line_of_64_mib(place: str, tmp_path: Path) -> None:
    async with looked(real.rude_stdio("big", 64 * MIB)) as seen:
        await seen.call()
        await seen.shows("✓ ok", "xxxxxxxxxxxx")
        await seen.traffic_shows("67 MB")
        await seen.lives()
        seen.app.open_entry(seen.bench.session.calls[-1].entry + 1)
        await seen.shows('"result"')
        await seen.lives()


@screen(10, "S")
async def a_line_without_end(place: str, tmp_path: Path) -> None:
    async with looked(real.rude_stdio("no-newline", 256 * MIB)) as seen:
        await seen.call()
        await seen.shows("the answer is one line of more than", "which is not kept")
        await seen.traffic_shows("line-too-long", "malformed")
        await seen.lives()


@screen(16, "S")
async def a_flood_of_notifications(place: str, tmp_path: Path) -> None:
    async with looked(rude_wire("logs")) as seen:
        await seen.call()
        await seen.shows("✓ ok", "↓20")
        await seen.traffic_shows("notifications/message")
        await seen.pilot.press("alt+8")
        await seen.shows("20,000")
        await seen.lives()


@screen(17, "S")
async def a_flood_on_stderr(place: str, tmp_path: Path) -> None:
    async with looked(real.rude_stdio("stderr-flood", 70 * MIB)) as seen:
        await seen.call()
        await seen.shows("✓ ok")
        await seen.pilot.press("ctrl+g", *"/-kind:stderr", "enter")
        await seen.traffic_shows("stderr-not-kept")
        await seen.pilot.press("ctrl+g")
        await seen.lives()


@screen(18, "S")
async def nothing_is_read(place: str, tmp_path: Path) -> None:
    async with looked(real.rude_stdio("stop-reading"), patience=HASTY) as seen:
        await seen.call()
        await seen.shows("ok")
        call = partial(seen.bench.session.call_tool, "poke", {"text": "x" * 2_000_000})
        seen.app.bridge.post(call)
        await seen.traffic_shows("write-stalled")
        await seen.until(lambda: seen.bench.session.calls[-1].done, seen.text)
        await seen.lives()
        await seen.call()
        await seen.shows("has not read its stdin for 0.4 s", "disconnect to end it")
        pid = seen.pid
        await seen.pilot.press("ctrl+g", "ctrl+k")
        await seen.phase(Phase.CLOSED)
        assert not runs(pid)


@screen(18, "S")
async def stdin_is_closed(place: str, tmp_path: Path) -> None:
    async with looked(real.rude_stdio("close-stdin"), patience=HASTY) as seen:
        await seen.call()
        await seen.call()
        await seen.shows("EPIPE", "closed its stdin")
        await seen.lives()


@screen(19, "S")
async def stdout_is_closed(place: str, tmp_path: Path) -> None:
    async with looked(real.rude_stdio("close-stdout"), patience=HASTY) as seen:
        await seen.call()
        pid = seen.pid
        await seen.shows(f"closed its stdout but still runs (pid {pid})", "kill the process")
        await seen.traffic_shows("stdout-closed")
        assert runs(pid)
        await seen.pilot.press("ctrl+g", "ctrl+k")
        await is_gone(pid)
        await seen.shows("it has ended since", "F5 connect again")
        assert "kill the process" not in seen.text()
        await seen.pilot.press("ctrl+k")
        await seen.pilot.press("f5")
        await seen.phase(Phase.READY)
