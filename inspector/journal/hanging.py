"""Why an answer does not come: the most likely reason in one sentence, and the evidence for it.

Pure: reads a journal as it stands, live or reopened; `now` is passed in. Every sentence names the
entry that it is about. What the evidence is, is `inspector.journal.hanging_facts`; what it means
and weighs `inspector.journal.hanging_checks`; how it looks is the panel's affair.
"""

from collections.abc import Collection
from dataclasses import dataclass

from inspector.journal.facts import stderr_line
from inspector.journal.hanging_case import HEAD, TEXT, Case, Reason, Waiting, ago, ending
from inspector.journal.hanging_checks import CHECKS
from inspector.journal.hanging_facts import event_facts, look, open_stream
from inspector.journal.journal import Journal


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`verdict` is the most likely reason; `reasons` all of them, the heaviest first; `waiting`
    what is open, the oldest first; `state` what is known of the connection; `stderr` the last
    lines."""

    verdict: Reason
    reasons: tuple[Reason, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    more_waiting: int = 0
    state: tuple[Reason, ...] = ()
    stderr: tuple[Reason, ...] = ()


def diagnose(
    journal: Journal, now: float, *, asks: Collection[int] | None = None, unfinished: int = 0
) -> Diagnosis:
    """Looks at the latest connection of `journal`. `now` is on its monotonic clock. `asks` are the
    entries of the questions that wait for a person (None: not known, as of a recording);
    `unfinished` is how many bytes came after the last line end on stdout."""
    seen = look(journal)
    if not seen.connection:
        return Diagnosis(Reason("Nothing was connected yet."))
    case = Case(journal, seen, now, asks, unfinished)
    waiting = tuple(case.waiting(number) for number in sorted((*seen.ours, *seen.theirs)))
    found = [reason for check in CHECKS for reason in check(case)]
    reasons = tuple(sorted(found, key=lambda one: -one.weight))
    verdict = next((one for one in reasons if one.weight), None)
    if verdict is None:
        verdict = Reason("Nothing is waited for: every request has its answer.", seen.received)
    return Diagnosis(
        verdict,
        reasons,
        waiting,
        seen.more_open,
        tuple(state_of(case)),
        tuple(Reason(_stderr(journal, number), number) for number in seen.stderr),
    )


def state_of(case: Case) -> list[Reason]:
    """What is known of both ends, the last of each first."""
    seen, journal = case.seen, case.journal
    found: list[Reason] = []
    if seen.sent:
        found.append(
            Reason(f"last sent: {case.what(seen.sent)}, {ago(case.age(seen.sent))} ago",
                   seen.sent)
        )  # fmt: skip
    if seen.received:
        words = f"last message from the server: {case.what(seen.received)}, "
        found.append(Reason(f"{words}{ago(case.age(seen.received))} ago", seen.received))
    if seen.heard and seen.heard != seen.received:
        kind = journal.row(seen.heard).kind.name.lower()
        found.append(
            Reason(f"last byte from it: {kind}, {ago(case.age(seen.heard))} ago", seen.heard)
        )
    if not seen.heard:
        found.append(Reason("not a byte came from the server on this connection", seen.began))
    found += [one for one in (_process(case), *_streams(case)) if one is not None]
    return found


def _process(case: Case) -> Reason | None:
    if (ended := event_facts(case.journal, case.seen, "exited")) is not None:
        return Reason(f"process: ended{ending(ended[1])}", ended[0])
    if case.seen.transport != "stdio":
        return None
    stalled = case.seen.events.get("write-stalled", 0)
    if stalled > case.seen.events.get("write-resumed", 0):
        return Reason("process: running, not reading its stdin", stalled)
    if (closed := case.seen.events.get("stdout-closed", 0)) != 0:
        return Reason("process: running, its stdout closed", closed)
    spawned = event_facts(case.journal, case.seen, "spawned")
    if spawned is None:
        return Reason("process: running, as far as is known", case.seen.began)
    words = f"process: pid {spawned[1].get('pid')}, running as far as is known"
    return Reason(words, spawned[0])


def _streams(case: Case) -> list[Reason | None]:
    if not case.seen.http:
        return []
    last = case.seen.http[-1]
    row = case.journal.row(last)
    status = f"HTTP {row.status}" if row.status else "failed"
    found: list[Reason | None] = [Reason(f"last HTTP exchange: {row.method} {status}", last)]
    stream = open_stream(case.journal, case.seen)
    if stream is None:
        found.append(Reason("stream for the server's own messages: none asked for", last))
    else:
        status = f"HTTP {stream[1].status}" if stream[1].status else stream[1].error[:TEXT]
        is_open = stream[1].status == 200
        words = "open" if is_open else f"not open ({status})"
        found.append(Reason(f"stream for the server's own messages: {words}", stream[0]))
    for name, words in (("stream-cut", "was cut off"), ("stream-waits", "is opened again")):
        if (cut := case.seen.events.get(name, 0)) != 0:
            found.append(Reason(f"a stream {words}", cut))
    return found


def _stderr(journal: Journal, number: int) -> str:
    return stderr_line(journal.body(number)).decode("utf-8", "backslashreplace")[:HEAD]
