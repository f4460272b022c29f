"""One headless run: a workbench, a session, one piece of work, and an end that leaves nothing.

Decides what signals do (the first cancels the running call and tells the server, then everything
is closed), which stderr lines of the server are shown, and how failures become exit codes. What
the work is stands in `inspector.cli.headless`.
"""

import asyncio
import re
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from inspector.cli import output
from inspector.cli.asking import answer_asks
from inspector.cli.output import BrokenOutput, Output
from inspector.cli.waiting_line import waiting_line
from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, InspectorError
from inspector.journal.entries import Kind
from inspector.journal.facts import stderr_line
from inspector.session.options import Options
from inspector.session.pending import Call, Lost, Outcome
from inspector.session.session import Session
from inspector.signals import ENDING
from inspector.transport.base import make_transport
from inspector.transport.process import end_at_once
from inspector.workbench import Workbench

if TYPE_CHECKING:
    from inspector.auth.late import UnopenedStore
    from inspector.auth.person import Person

CANCEL_TIME: Final = 2.0
"""Seconds to get the cancellation of a call out before the connection is closed."""
EOF_SECONDS: Final = 0.3
"""How long the server may take to end by itself after we closed its stdin. Somebody waits for this
command, its output is out, and SIGTERM still lets the server clean up."""
PATIENT_SECONDS: Final = 2.0
"""The same where it is judged whether the server does so."""
NOT_GONE: Final = ("auth", "busy", "redirect", "timeout")
"""Kinds of ConnectionFailed that do not mean that the server broke off."""
SHOWN_BYTES: Final = 500
"""How much is shown of an answer that cannot be read."""
ASKS_SHOWN: Final = 20
SLOW_SECONDS: Final = 1.0
"""From then on a terminal says what is waited for while the session opens."""
"""Questions answered by policy that are told."""
STDERR_LINES: Final = 20
"""The server's last stderr lines that are shown beside a failure."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a piece of work has: a workbench whose session is ready, and somewhere to write."""

    bench: Workbench
    out: Output

    @property
    def session(self) -> Session:
        """The session."""
        return self.bench.session

    async def outcome(self, call: Call) -> Outcome:
        """The outcome of `call`. Where we are stopped meanwhile, the call is cancelled first."""
        try:
            with waiting_line(lambda: _progress(call), wanted=not self.out.as_json):
                return await call.wait()
        except asyncio.CancelledError:
            with suppress(TimeoutError, InspectorError):
                async with asyncio.timeout(CANCEL_TIME):
                    await call.cancel("interrupted by the user")
            raise


Work = Callable[[Run], Awaitable[int]]


def run_headless(
    target: Target,
    options: Options,
    out: Output,
    work: Work,
    *,
    connect: bool = True,
    patient: bool = False,
    person: "Person | None" = None,
    store: "UnopenedStore | None" = None,
) -> int:
    """Connects (unless `work` opens its sessions itself), does `work`, closes; returns the exit
    code. `patient`: the server gets as long to end by itself as in the interface. `person` is who
    may be asked to log in (None: nobody), `store` where tokens are kept (None: in memory)."""
    seconds = PATIENT_SECONDS if patient else EOF_SECONDS
    factory = partial(make_transport, eof_seconds=seconds)
    bench = Workbench(
        target, options=options, transport_factory=factory, person=person, store=store
    )
    with asyncio.Runner() as runner:
        return runner.run(_run(bench, out, work, connect))


async def _run(bench: Workbench, out: Output, work: Work, connect: bool) -> int:
    stopped: list[int] = []
    tasks: list[asyncio.Task[int]] = []
    code = output.DONE

    def stop(number: int) -> None:
        if stopped and number != signal.SIGHUP:  # that comes from the system and from the shell
            end_at_once()  # whoever asks twice does not want to wait for a stubborn server
        stopped.append(number)
        for task in tasks:
            task.cancel()

    with _signals(stop):
        async with bench, asyncio.TaskGroup() as group:
            if out.verbose:
                _show_stderr(bench, out)
            doing = _work(bench, out, work) if connect else _guarded(Run(bench, out), work)
            task = group.create_task(doing)
            tasks.append(task)
            if stopped:
                task.cancel()
            with suppress(asyncio.CancelledError):
                code = await asyncio.shield(task)
            if stopped:
                await asyncio.wait([task])
    file = bench.journal.file
    if file.path is not None and file.failure:
        out.note(file.failure)
    return output.SIGNALLED + stopped[0] if stopped else code


async def _work(bench: Workbench, out: Output, work: Work) -> int:
    try:
        await open_session(bench, out)
        async with asyncio.TaskGroup() as group:
            asker = group.create_task(answer_asks(bench.session))
            code = await _guarded(Run(bench, out), work)
            asker.cancel()
        return code
    except InspectorError as error:
        return fail(bench, out, error)


async def open_session(bench: Workbench, out: Output) -> None:
    """Connects, and tells a terminal what is waited for. Raises what was in the way."""
    alone = bench.person is None  # else the terminal is needed for questions
    with waiting_line(lambda: _opening(bench), wanted=alone and not out.as_json):
        state = await bench.connect()
    if state.error is not None:
        if "exited" in state.error.message and not state.error.hint:
            state.error.hint = "it wrote nothing to stderr; is it an MCP server on stdio?"
        raise state.error


async def _guarded(run: Run, work: Work) -> int:
    try:
        try:
            return await work(run)
        finally:
            say_asks(run)
    except InspectorError as error:
        return broke_off(run.bench, run.out, error)
    except BrokenOutput:
        output.silence_stdout()
        return output.SIGNALLED + signal.SIGPIPE


def broke_off(bench: Workbench, out: Output, error: InspectorError) -> int:
    """Tells of a failure after connecting: a server that goes away then owes the answer."""
    code = fail(bench, out, error)
    gone = isinstance(error, ConnectionFailed) and error.kind not in NOT_GONE
    return output.PROTOCOL_BROKEN if gone else code


def say_asks(run: Run) -> None:
    """What a policy answered for the user; the result may depend on it."""
    owed = [ask for ask in run.session.inbox.asks if ask.owed]
    answered = [ask for ask in owed if ask.state == "automatic"]
    for ask in [one for one in answered if one.kind not in ("roots", "round")][:ASKS_SHOWN]:
        option = "--on-sampling" if ask.kind == "sampling" else "--on-elicitation"
        run.out.note(f"the server asked ({ask.method}), answered {ask.note} ({option})")


def fail(bench: Workbench, out: Output, error: InspectorError) -> int:
    """Tells of a failure, with the server's last words; the exit code."""
    if _SEE_TRAFFIC.search(error.hint):
        seen = _seen(bench, error) or "--record FILE keeps every byte of the exchange"
        error.hint = "\n".join(filter(None, (seen, _SEE_TRAFFIC.sub("", error.hint))))
    code = out.failure(error)
    told_already = out.verbose or out.as_json or "stderr" in error.hint
    if not told_already and code != output.USAGE:
        lines = [n for n in _entries(bench) if bench.journal.row(n).kind is Kind.STDERR]
        for number in lines[-STDERR_LINES:]:
            out.stderr_line(stderr_line(bench.journal.body(number)))
    return code


_SEE_TRAFFIC: Final = re.compile(
    r"entry \d+ shows its bytes(; )?|the HTTP entry in the traffic list has headers and body"
    r"|the traffic shows its whole answer"
)
"""Hints for who has the traffic before their eyes; here nobody has."""


def _seen(bench: Workbench, error: InspectorError) -> str:
    """The bytes that could not be read, where it is an answer."""
    for call in bench.session.calls:
        if isinstance(call.outcome, Lost) and call.outcome.error is error and call.outcome.entry:
            if bench.journal.row(call.outcome.entry).kind > Kind.MALFORMED:
                break
            body = bench.journal.body(call.outcome.entry)
            more = f" … ({len(body):,} bytes; --record FILE keeps them)"
            text = body[:SHOWN_BYTES].decode("utf-8", "backslashreplace")
            text += more if len(body) > SHOWN_BYTES else ""
            return "it sent: " + text.replace("\n", "\n| ")
    return ""


def _entries(bench: Workbench) -> range:
    return range(1, len(bench.journal) + 1)


def _show_stderr(bench: Workbench, out: Output) -> None:
    def show(number: int) -> None:
        if bench.journal.row(number).kind is Kind.STDERR:
            out.stderr_line(stderr_line(bench.journal.body(number)))

    bench.journal.subscribe(show)


@contextmanager
def _signals(stop: Callable[[int], object]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in ENDING:
        loop.add_signal_handler(number, stop, number)
    try:
        yield
    finally:
        for number in ENDING:
            loop.remove_signal_handler(number)


def _opening(bench: Workbench) -> str:
    """What the server lets us wait for before there is a session."""
    late = [call for call in bench.session.pending if call.elapsed >= SLOW_SECONDS]
    return f"no answer to {late[0].method} yet, {late[0].elapsed:.0f} s" if late else ""


def _progress(call: Call) -> str:
    from inspector.render.content import size_words

    progress = call.progress
    coming = call.arriving and call.elapsed >= SLOW_SECONDS
    amount = f"{size_words(call.arriving)} of an answer came, not whole yet " if coming else ""
    if progress is None:
        return amount
    amount += f"{progress.progress:g}"
    if progress.total is not None:
        amount += f"/{progress.total:g}"
    return f"{amount} {progress.message}"
