"""Answers that are odd in every way we could think of, and a bad byte at every place of one: on a
real process the call behind them works, every byte is kept, and nothing that reads the journal
later falls over them."""

import asyncio
import itertools
import json
from pathlib import Path

import pytest

from inspector.errors import PeerViolation
from inspector.journal.entries import Direction, Flag
from inspector.journal.loading import load_recording
from inspector.lint.engine import lint
from inspector.session.pending import Failure, Lost, Success
from inspector.workbench import Options
from tests.faults.stdio import REVISION, bench_on, met, rude_wire
from tests.servers.rude_corpus import CASES, PLACE, PLAIN
from tests.session.scene import ready, soon

QUOTED = "stands in a line with something else"
BAD = (
    b"\x00", b"\x01", b"\t", b"\n", b"\r", b"\x1b", b'"', b"\\", b"{", b"}", b"[", b",", b":", b"0",
    b"x", b"\x7f", b"\x80", b"\xc3", b"\xe9", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff",
)  # fmt: skip


async def test_of_every_odd_answer_every_byte_is_kept_and_the_next_call_works(
    tmp_path: Path,
) -> None:
    tee, path = tmp_path / "tee", tmp_path / "recording"
    tee.touch()
    options = Options(record=path, protocol=REVISION)
    async with bench_on(rude_wire("corpus", tee), options, tee=tee) as server:
        server.bench.begin_judging()
        assert await server.opened()
        wrong: list[str] = []
        quoted: list[tuple[str, asyncio.Future[object]]] = []
        # The call of an answer behind other text is waited for, since a log may quote one: last.
        for name, case in sorted(CASES.items(), key=lambda each: QUOTED in each[1].words):
            behind = QUOTED in case.words
            call = await (server.begin("poke", case=name) if behind else server.case(name))
            await server.good()
            if behind:
                quoted.append((name, asyncio.ensure_future(soon(call.wait()))))
                continue
            match call.outcome:
                case Success(raw=raw) | Failure(raw=raw):
                    fate, words = "answered", raw.decode("utf-8", "replace")
                case Lost(error=error):
                    fate, words = "refused", error.message
                    assert isinstance(error, PeerViolation), name
                    assert len(error.message) + len(error.hint) < 1000, name
                case None:
                    fate, words = "open", call.hint
                    assert len(words) < 1000, name
                    await soon(call.cancel())
            if (fate, case.words in words) != (case.fate, True):
                wrong.append(f"{name}: {fate}, {words[:200]}")
        for name, future in quoted:
            async with asyncio.timeout(60):
                outcome = await future
            assert isinstance(outcome, Lost)
            if CASES[name].words not in outcome.error.message:
                wrong.append(f"{name}: {outcome.error.message}")
        assert wrong == []
        assert len(server.bench.session.inbox.open) < 10
        said = server.received()
    again = load_recording(path)
    assert again.dropped_bytes == 0
    numbers = range(1, len(again) + 1)
    came = [number for number in numbers if again.row(number).direction is Direction.RECEIVED]
    assert [again.body(n) for n in came if again.row(n).kind.is_frame] == said
    assert len(lint(again)) > 100


async def test_a_bad_byte_at_any_place_of_an_answer_leaves_the_next_call_working() -> None:
    """On the session itself, for every place and every byte: put in, and in place of what is
    there."""
    async with ready() as scene:
        fates: dict[str, int] = {}
        for number, (place, bad, instead) in enumerate(
            itertools.product(range(len(PLAIN)), BAD, (0, 1))
        ):
            call, _ = await scene.call()
            raw = PLAIN.replace(PLACE, str(call.id).encode())
            place = min(place, len(raw) - 1)
            spoilt = raw[:place] + bad + raw[place + instead :]
            entry = scene.server(spoilt)
            assert scene.journal.body(entry) == spoilt, spoilt
            fate = "open" if call.outcome is None else type(call.outcome).__name__
            fates[fate] = fates.get(fate, 0) + 1
            if fate == "Success":
                assert json.loads(spoilt)["id"] == call.id
            if not call.done:
                await soon(call.cancel())
                await scene.client()
            if number % 40 == 0:
                good, _ = await scene.call()
                outcome = await scene.answer(good, {"content": []})
                assert isinstance(outcome, Success)
            while not scene.quiet():  # what was taken for a request of theirs is refused
                await scene.client()
        good, _ = await scene.call()
        assert isinstance(await scene.answer(good, {"content": []}), Success)
        assert fates["Lost"] > fates["open"] > 100


async def test_a_bad_byte_at_any_place_of_a_line_leaves_the_next_line_whole(tmp_path: Path) -> None:
    """On a real process, for a sample of bytes: the call behind works, and all is kept."""
    async with met("spoilt", tmp_path) as server:
        assert await server.opened()
        calls = []
        for place in range(len(PLAIN) - len(PLACE) + 1):
            calls.append(await server.begin("poke", place=str(place)))
            if place % 4 == 3:
                await server.good()
        await server.good()
        assert not any(Flag.OVERSIZED in entry.row.flags for entry in server.came())
        for call in calls:
            if not call.done:
                await soon(call.cancel())
        await server.good()
        assert sum(isinstance(call.outcome, Lost) for call in calls) > len(calls) // 2


@pytest.mark.parametrize("mode", ["endless-list", "same-cursor", "list-grows"])
async def test_a_list_without_end_is_read_so_far_and_no_further(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inspector.session.catalog.PAGE_CAP", 100)
    monkeypatch.setattr("inspector.session.catalog.BYTES_CAP", 1_000_000)
    async with met(mode, tmp_path) as server:
        assert await server.opened()
        tools = await soon(server.bench.session.catalog.look("tools"))
        assert tools.state == "ready"
        assert tools.error.startswith("reading stopped: ")
        assert len(server.sent("tools/list")) <= (10 if mode == "list-grows" else 100)
        await server.good()
