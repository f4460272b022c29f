"""What `mcp-inspect lint` does with a server: connects, asks for what has no side effect, judges.

Decides what is asked (all pages of all lists, a ping, a few completions; with `--active` the probes
of `inspector.active_lint` too) and that findings are printed however the session ended. What could
not be looked at decides the exit code before the findings do.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from inspector.cli.asking import answer_asks
from inspector.cli.lint_report import Report, Wanted, report
from inspector.cli.running import Run, Work, broke_off, fail, open_session
from inspector.cli.waiting_line import waiting_line
from inspector.errors import InspectorError
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.versions import Era, Revision
from inspector.session.catalog import KINDS, METHOD_OF, ListKind
from inspector.session.pending import Lost, Outcome

if TYPE_CHECKING:
    from inspector.session.session import Session

QUIET: Final = 0.4
"""Seconds without a message after which a server is taken to have said all."""
LISTENS: Final = 5
COMPLETED: Final = 10
"""Arguments for which a completion is asked."""

Print = Callable[[Report], int]
"""Prints a report; the exit code that its findings mean."""


def lint_target(wanted: Wanted, show: Print, *, active: bool, portable: bool) -> Work:
    """Exercises the server of the run, and prints what is wrong with it."""

    async def work(run: Run) -> int:
        opened = False
        error: InspectorError | None = None
        probed = False
        try:
            await open_session(run.bench, run.out)
            opened = True
            error = await _exercised(run)
            if active and error is None:
                from inspector.active_lint import ActiveLint

                await ActiveLint(run.bench, run.out.note).run()
                probed = True
        except InspectorError as failure:
            error = error or failure
        await run.bench.disconnect()
        run.bench.journal.tick()  # a line in the file is asked for by its number
        code = show(
            report(
                run.bench.journal,
                wanted,
                run.bench.target.label,
                recording=run.bench.options.record,
                failure=error,
                active=probed,
                portable=portable,
            )
        )
        if error is None:
            return code
        return (broke_off if opened else fail)(run.bench, run.out, error)

    return work


async def _exercised(run: Run) -> InspectorError | None:
    """Asks what can be asked; why not all of it was answered, None where it was."""
    found: list[InspectorError] = []
    async with asyncio.TaskGroup() as group:
        asker = group.create_task(answer_asks(run.session))
        try:
            with waiting_line(lambda: _under_way(run.session), wanted=not run.out.as_json):
                await _exercise(run, found)
                await _listen(run)
        except InspectorError as error:
            found.append(error)
        finally:
            asker.cancel()
    return found[0] if found else None


async def _exercise(run: Run, found: list[InspectorError]) -> None:
    session = run.session
    for kind in KINDS:
        if session.state.over:
            break
        if session.catalog[kind].state == "unsupported":
            continue
        read = await session.catalog.refresh(kind)
        if read.error:
            run.out.note(f"{METHOD_OF[kind]}: {read.error}")
        if read.state == "failed" and (lost := _lost(session, kind)) is not None:
            found.append(lost)
    if session.era is Era.HANDSHAKE and not session.state.over:
        _keep(found, await (await session.request("ping", progress=False)).wait())
    tasks = session.state.declares("tasks", "list")
    if tasks and session.state.revision is Revision.V2025_11_25 and not session.state.over:
        _keep(found, await (await session.tasks.list_all()).wait())
    if session.state.declares("completions"):
        for ref, argument in _completable(session)[:COMPLETED]:
            if not session.state.over:
                await session.complete(ref, argument, "")


async def _listen(run: Run) -> None:
    """Until nothing has come for a moment: some servers ask for the roots, or announce something, a
    little later, and ours to judge is what they do then."""
    for _ in range(LISTENS):
        before = len(run.bench.journal)
        await asyncio.sleep(QUIET)
        if before == len(run.bench.journal) or run.session.state.over:
            return


def _keep(found: list[InspectorError], outcome: Outcome) -> None:
    """Notes that nothing came; what the server answered instead is an answer."""
    if isinstance(outcome, Lost):
        found.append(outcome.error)


def _lost(session: "Session", kind: ListKind) -> InspectorError | None:
    """Why a list got no answer; None where the server refused it."""
    calls = [call for call in session.calls if call.method == METHOD_OF[kind]]
    outcome = calls[-1].outcome if calls else None
    return outcome.error if isinstance(outcome, Lost) else None


def _completable(session: "Session") -> list[tuple[JsonObject, str]]:
    """The arguments of prompts and the variables of templates, each with what it belongs to."""
    from inspector.forms.uri_template import template_parts

    found: list[tuple[JsonObject, str]] = []
    for prompt in session.catalog["prompts"].items:
        match prompt:
            case {"name": str() as name, "arguments": list() as arguments}:
                ref: JsonObject = {"type": "ref/prompt", "name": name}
                found += [(ref, each) for each in map(_name, arguments) if each]
    for template in session.catalog["resourceTemplates"].items:
        match template:
            case {"uriTemplate": str() as uri}:
                whole: JsonObject = {"type": "ref/resource", "uri": uri}
                found += [(whole, each) for each in template_parts(uri).names]
    return found


def _name(argument: Json) -> str:
    name = argument.get("name") if isinstance(argument, dict) else None
    return name if isinstance(name, str) else ""


def _under_way(session: "Session") -> str:
    """What is waited for, in one line."""
    waiting = [call for call in session.pending if not call.done]
    return f"{waiting[0].method}, {waiting[0].elapsed:.0f} s" if waiting else ""
