"""Walks through planted faults with the real client, and tells which findings each of them brought.

One session commits many faults: after each comes something honest, and what is found between is of
that fault alone.
"""

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from click.testing import CliRunner

from inspector.cli.main import cli
from inspector.config.targets import Target
from inspector.errors import InspectorError
from inspector.journal.entries import Kind
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.lint.engine import lint
from inspector.lint.rule import Finding
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.versions import REVISIONS
from inspector.session.asks import AskKind, Policy
from inspector.session.options import Options
from inspector.session.session import Session
from inspector.workbench import Workbench

SECONDS = 60.0
SCRIPTED = Path(__file__).parent.parent / "servers" / "scripted_stdio.py"
ANSWERS: dict[AskKind, JsonObject] = {
    "sampling": {
        "role": "assistant", "content": {"type": "text", "text": "x"}, "model": "m",
        "stopReason": "endTurn",
    },
    "elicitation": {"action": "decline"},
    "elicitation-url": {"action": "decline"},
    "roots": {"roots": []},
}  # fmt: skip
MARKS = {"E": "error", "W": "warn", "I": "info"}
Told = set[tuple[str, str]]


def wanted_in(wanted: Mapping[str, str], letter: str, letters: str) -> Told:
    """The rules and severities that a revision wants told, of marks for each of `letters`."""
    marks = {rule: told[letters.index(letter)] for rule, told in wanted.items()}
    return {(rule, MARKS[mark]) for rule, mark in marks.items() if mark != "-"}


def scripted(script: JsonObject) -> Target:
    """A process that says what its script says."""
    return Target(command=(sys.executable, "-S", "-E", str(SCRIPTED), json.dumps(script)))


@dataclass
class Walk:
    """What a session was: of each fault the entries that it has, and what was found."""

    path: Path
    session: Session
    journal: Journal
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    async def step(
        self,
        name: str,
        method: str,
        params: JsonObject,
        barrier: str,
        *,
        ends: bool = False,
        open_: bool = False,
    ) -> None:
        """Commits one fault, and asks for something honest. `ends`: its call comes to an end by
        itself, after more than one answer; `open_`: it is left open."""
        begins = len(self.journal) + 1
        call = None
        with suppress(InspectorError):
            call = await self.session.request(method, params, force=True)
            if ends:
                await call.wait()
        await self.honest(barrier)
        if call is not None and not call.done and not open_:
            with suppress(InspectorError):
                await call.cancel("no answer")
        self.spans[name] = begins, len(self.journal)

    async def honest(self, tool: str) -> None:
        """What the server says after the answer to this came after it."""
        params: JsonObject = {"name": tool, "arguments": {}}
        with suppress(InspectorError):
            await (await self.session.request("tools/call", params)).wait()

    async def comes(self, kind: Kind, name: str = "") -> None:
        """Waits until something of a kind came, since the fault that was committed last began."""
        came = asyncio.Event()
        begins = max((first for first, _ in self.spans.values()), default=1)

        def look(number: int) -> None:
            row = self.journal.row(number)
            if row.kind is kind and (not name or row.method == name):
                came.set()

        self.journal.subscribe(look)
        for number in range(begins, len(self.journal) + 1):
            look(number)
        await came.wait()

    async def tells(self, name: str) -> None:
        """Waits until the transport told something."""
        await self.comes(Kind.EVENT, name)

    def extend(self, name: str) -> None:
        """What came by now is of that fault."""
        self.spans[name] = self.spans[name][0], len(self.journal)

    async def span(self, name: str, doing: Callable[[], Awaitable[object]]) -> None:
        """Does something else that has a fault."""
        begins = len(self.journal) + 1
        with suppress(InspectorError):
            await doing()
        self.spans[name] = begins, len(self.journal)

    def told(self, name: str) -> Told:
        """What was found in the entries of a fault."""
        first, last = self.spans[name]
        return {
            (each.rule, each.severity.value)
            for each in self.findings
            if first <= each.entries[0] <= last
        }

    def elsewhere(self) -> Told:
        """What was found in no fault's entries."""
        spans = [range(first, last + 1) for first, last in self.spans.values()]
        return {
            (each.rule, each.severity.value)
            for each in self.findings
            if not any(each.entries[0] in span for span in spans)
        }


Use = Callable[[Walk], Awaitable[object]]


async def played(target: Target, protocol: str, path: Path, use: Use, **chosen: object) -> Walk:
    """Plays a session, records it and judges the recording."""
    policies = {kind: Policy("answer", answer) for kind, answer in ANSWERS.items()}
    options = Options(protocol=protocol, record=path, policies=policies, **chosen)  # type: ignore[arg-type]
    async with asyncio.timeout(SECONDS), Workbench(target, options=options) as bench:
        state = await bench.connect()
        found = Walk(path, bench.session, bench.journal)
        if state.error is None:
            await use(found)
    found.findings = lint(load_recording(path))
    return found


def walk(target: Target, protocol: str, path: Path, use: Use, **chosen: object) -> Walk:
    """The same, from where no loop runs."""
    return asyncio.run(played(target, protocol, path, use, **chosen))


def of_the_command(path: Path) -> list[tuple[str, str, int]]:
    """What `mcp-inspect lint FILE --json` tells of a recording."""
    done = CliRunner().invoke(cli, ["lint", str(path), "--json"])
    told = json.loads(done.stdout)["findings"]
    return [(each["rule"], each["severity"], each["entries"][0]) for each in told]


def by_answer(findings: Iterable[Finding], journal: Journal, method: str) -> list[Told]:
    """What was found in each answer to a method, in order."""
    held: dict[int, Told] = defaultdict(set)
    for each in findings:
        held[each.entries[0]].add((each.rule, each.severity.value))
    return [
        held[number]
        for number in range(1, len(journal) + 1)
        if (row := journal.row(number)).kind is Kind.RESULT
        and row.partner
        and journal.row(row.partner).method == method
    ]


def script_of(*parts: Mapping[str, Json]) -> JsonObject:
    """A script of several, the later ones first."""
    return {name: said for part in parts for name, said in part.items()}


LETTERED = dict(zip("ABCDE", (str(each) for each in REVISIONS), strict=True))
