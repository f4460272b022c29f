"""The causes of a missing answer, one check each, and what each weighs against the others.

A check gives the reasons that its evidence holds and none where it has none. Pure.
"""

from collections.abc import Callable, Sequence
from typing import Final

from inspector.journal.hanging_case import TEXT, Case, Reason, ago, ending
from inspector.journal.hanging_facts import event_facts, exchange_of, open_stream

FRESH: Final = 10.0
"""Seconds for which a progress report says that the server is at work."""
Check = Callable[[Case], Sequence[Reason]]


# -- checks: each gives the reasons that its evidence holds --


def _over(case: Case) -> Sequence[Reason]:
    """The connection has ended: nothing can come any more."""
    for name, words in (
        ("spawn-failed", "The command could not be started"),
        ("exited", "The process has ended"),
        ("stdout-closed", "The server closed its stdout, so that no answer can come"),
        ("stream-lost", "The stream on which the server answers is lost"),
        ("session-expired", "The server has ended the session (404 on its id)"),
    ):
        found = event_facts(case.journal, case.seen, name)
        if found is None:
            continue
        number, facts = found
        if name in ("session-expired",) and case.seen.answer > number:
            continue  # it went on after that
        how = ending(facts) if name == "exited" else str(facts.get("reason") or "")
        waits = f"; {case.named(case.oldest)} was not answered" if case.oldest else ""
        asked = "stdin-closed" in case.seen.events and name == "exited"
        if asked and not case.oldest:
            return [Reason(f"The connection was closed by us; the process ended{how}.", number, 10)]
        return [Reason(f"{words}{_after(name, how)}{waits}.", number, 100)]
    return ()


def _after(name: str, how: str) -> str:
    return how if name == "exited" else f": {how[:TEXT]}" if how else ""


def _asked(case: Case) -> Sequence[Reason]:
    """The server waits for us: a question that nobody has answered."""
    found = []
    for number in case.seen.theirs:
        words = f"The server waits for your answer to {case.named(number)}"
        if case.oldest:
            words += f", for {ago(case.age(number))}; {case.named(case.oldest)} cannot go on before"
        found.append(Reason(f"{words} (Asks tab).", number, 95))
    for number in case.seen.rounds:
        if case.asks is not None and number not in case.asks:
            continue
        words = f"The answer #{number} asks for input, and no request has gone on with it"
        found.append(Reason(f"{words} (Asks tab).", number, 94))
    return found


def _mistyped(case: Case) -> Sequence[Reason]:
    """A reply with id "7" came while 7 is awaited."""
    found = []
    for number in case.seen.mistyped:
        request = case.journal.columns.partners[number]
        awaited = request in case.seen.ours
        words = (
            f"A reply with the id {case.id(number)} came while {case.id(request)} is awaited"
            f" ({case.named(request)}): the type of an id must not change."
        )
        found.append(Reason(words, number, 92 if awaited else 0))
    return found


def _malformed(case: Case) -> Sequence[Reason]:
    """Something came that is no message, where an answer was due."""
    found = []
    for number in case.seen.malformed:
        due = bool(case.oldest) and number > case.oldest
        text = case.head(number)
        if answered := case.journal.columns.partners[number]:
            words = f"{case.named(answered)} was answered by what is no valid message: {text}"
            found.append(Reason(words, number, 35))
            continue
        found.append(
            Reason(f"What the server sent in #{number} is no valid message: {text}", number,
                   88 if due else 0)
        )  # fmt: skip
    for number in case.seen.stray:
        text = case.head(number)
        if answered := case.journal.columns.partners[number]:
            words = f"{case.named(answered)} was answered by what is no valid message: {text}"
            found.append(Reason(words, number, 35))
            continue
        due = bool(case.oldest) and number > case.oldest
        like = any(one in text for one in ("jsonrpc", '"result"', '"id"'))
        words = (
            f"A line on stdout looks like an answer but is no message: {text}"
            if like
            else f"A line on stdout is no message (a print to stdout?): {text}"
        )
        found.append(Reason(words, number, (86 if like else 60) if due else 0))
    if (cut := event_facts(case.journal, case.seen, "line-too-long")) is not None:
        due = bool(case.oldest) and cut[0] > case.oldest
        words = f"A line of {cut[1].get('size')} bytes is too long to be kept"
        found.append(Reason(f"{words}, and so not read.", cut[0], 80 if due else 0))
    return found


def _orphans(case: Case) -> Sequence[Reason]:
    """Replies to ids that nobody asked, and second replies."""
    found = []
    for number in case.seen.orphans:
        due = bool(case.oldest) and number > case.oldest
        words = f"A reply with the id {case.id(number)} came, which no request has"
        if due:
            words += f"; {case.named(case.oldest)} waits for {case.id(case.oldest)}"
        found.append(Reason(f"{words}.", number, 84 if due else 0))
    for number in case.seen.duplicates:
        words = f"A second reply to the id {case.id(number)} came"
        due = bool(case.oldest) and number > case.oldest
        if due:
            words += f", while {case.named(case.oldest)} got none"
        found.append(Reason(f"{words}.", number, 70 if due else 0))
    return found


def _not_reading(case: Case) -> Sequence[Reason]:
    """The server does not read its stdin."""
    stalled, resumed = (
        case.seen.events.get(name, 0) for name in ("write-stalled", "write-resumed")
    )
    if stalled <= resumed:
        return ()
    words = f"The server has stopped reading its stdin, {ago(case.age(stalled))} ago"
    return [Reason(f"{words}: what we send waits in the pipe.", stalled, 90)]


def _half_a_line(case: Case) -> Sequence[Reason]:
    """Bytes without the line end that would make them a message."""
    if case.unfinished and case.seen.heard:
        words = (
            f"{case.unfinished} bytes came on stdout without a line end: a message ends with one"
        )
        return [Reason(f"{words}.", case.seen.heard, 87 if case.oldest else 0)]
    if (cut := event_facts(case.journal, case.seen, "line-cut")) is not None:
        words = f"The last {cut[1].get('bytes')} bytes on stdout had no line end"
        return [Reason(f"{words}: a message ends with one.", cut[0], 85 if case.oldest else 0)]
    return ()


def _http(case: Case) -> Sequence[Reason]:
    """What became of the HTTP exchange that carried the request."""
    asked = case.subject
    if not asked or case.seen.transport == "stdio":
        return ()
    carried = exchange_of(case.journal, asked)
    if carried is None:
        if not case.seen.http:
            return ()
        words = f"No HTTP answer yet to {case.named(asked)}: not even a status line"
        return [Reason(f"{words}, after {ago(case.age(asked))}.", asked, 55)]
    number, facts = carried
    if facts.status is None:
        words = f"The HTTP exchange of {case.named(asked)} failed: {facts.error[:TEXT]}"
        return [Reason(words, number, 89)]
    if facts.status in (401, 403):
        words = f"HTTP {facts.status}: {case.named(asked)} needs an authorization (F9)"
        return [Reason(f"{words}.", number, 93)]
    if facts.status == 202 or (facts.status < 300 and not _streams_body(facts.response_headers)):
        stream = open_stream(case.journal, case.seen)
        if stream is None or stream[1].status != 200:
            got = f"its GET was answered {stream[1].status}" if stream else "there was no GET"
            words = (
                f"HTTP {facts.status} for {case.named(asked)}, and no stream on which its"
                f" answer could come ({got})."
            )
            return [Reason(words, number, 91)]
        words = f"HTTP {facts.status} for {case.named(asked)}: its answer has to come on"
        return [Reason(f"{words} the stream #{stream[0]}.", number, 50)]
    if facts.status >= 400:
        words = f"HTTP {facts.status} {facts.reason} for {case.named(asked)}"
        return [Reason(f"{words}.", number, 91)]
    words = f"HTTP {facts.status}: the stream for {case.named(asked)} is open"
    return [Reason(f"{words}, and its answer has not come.", number, 45)]


def _streams_body(headers: Sequence[tuple[str, str]]) -> bool:
    media = next((value for name, value in headers if name.lower() == "content-type"), "")
    return media.lower().startswith("text/event-stream")


def _at_work(case: Case) -> Sequence[Reason]:
    """Progress that is still reported: it is slow, and does not hang."""
    found = []
    for request in case.seen.ours:
        reported = case.seen.progress.get(request)
        if reported is None:
            continue
        told = case.progress(reported).text
        if case.age(reported) <= FRESH:
            words = f"The server is at work on {case.named(request)}: {told}"
            found.append(Reason(f"{words}.", reported, 82))
        else:
            words = f"The server has stopped reporting on {case.named(request)}: last {told}"
            found.append(Reason(f"{words}.", reported, 58))
    return found


def _silent(case: Case) -> Sequence[Reason]:
    """What else it answers meanwhile tells whether all of it hangs, or one call."""
    oldest, answer = case.oldest, case.seen.answer
    if not oldest:
        return ()
    for_long = ago(case.age(oldest))
    if answer > oldest:
        words = (
            f"Only this call hangs: {case.named(oldest)} waits for {for_long}, and the server has"
            f" answered others since, #{answer} last."
        )
        return [Reason(words, oldest, 40)]
    if not case.seen.heard:
        words = f"The server has not said a byte since it was started; {case.named(oldest)} waits"
        hint = " (does it speak MCP here, and does it flush its stdout?)"
        return [Reason(f"{words} for {for_long}{hint}.", oldest, 50)]
    later = len(case.seen.ours) - 1 + case.seen.more_open
    words = f"The server has not answered {case.named(oldest)} for {for_long}"
    if later:
        words += f", nor {later} later request{'s' if later > 1 else ''}: all of it hangs"
    elif case.seen.heard > oldest:
        words += f"; it is alive: its last byte came {ago(case.age(case.seen.heard))} ago"
    else:
        words += ", and has not sent a byte since"
    return [Reason(f"{words}.", oldest, 42 if later else 38)]


def _given_up(case: Case) -> Sequence[Reason]:
    """What nobody waits for any more."""
    found = []
    for number in case.seen.timed_out:
        weight = 30 if number == case.subject else 0
        found.append(Reason(f"{case.named(number)} ran out of time on our side.", number, weight))
    for number in case.seen.lost:
        weight = 25 if number == case.subject else 0
        words = f"{case.named(number)} has failed: no answer came, and none is waited for"
        found.append(Reason(f"{words} any more.", number, weight))
    return found


CHECKS: Final[tuple[Check, ...]] = (
    _over, _asked, _mistyped, _not_reading, _malformed, _half_a_line, _orphans, _http, _at_work,
    _silent, _given_up,
)  # fmt: skip
"""All checks."""
