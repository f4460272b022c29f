"""One conversation in which a call meets everything that can belong to a call."""

from dataclasses import dataclass

from inspector.journal.entries import HttpFacts
from tests.journal.conversation import MODERN, Conversation, error, notification, request, result


@dataclass(frozen=True, slots=True)
class Busy:
    """The conversation, and where its parts are."""

    talk: Conversation
    call: int
    post: int
    progress: tuple[int, ...]
    log: int
    ask: int
    answer: int
    answer_post: int
    cancel: int
    outcome: int
    note: int
    note_on_outcome: int


def busy_call(reports: int = 2, talk: Conversation | None = None) -> Busy:
    """A call over HTTP: progress, a log message, an ask with its answer, cancelled, noted."""
    talk = talk or Conversation()
    talk.pass_time(0.1)
    call = talk.sent(request(7, name="slow", _meta={"progressToken": "t"}))
    talk.pass_time(0.01)
    post = talk.journal.http(
        HttpFacts("POST", "http://x/mcp", status=200), connection=talk.connection, frame=call
    )
    progress = []
    for done in range(reports):
        talk.pass_time(0.1)
        told = notification(
            "notifications/progress", progressToken="t", progress=done, total=reports
        )
        progress.append(talk.received(told, http=post))
    log = talk.received(notification("notifications/message", level="info", data="half"), http=post)
    talk.pass_time(0.1)
    ask = talk.received(request(1, "sampling/createMessage"), http=post)
    talk.pass_time(2.0)
    answer = talk.sent(result(1, role="assistant"))
    answer_post = talk.journal.http(
        HttpFacts("POST", "http://x/mcp", status=202), connection=talk.connection, frame=answer
    )
    cancel = talk.sent(notification("notifications/cancelled", requestId=7, reason="bored"))
    talk.pass_time(0.5)
    outcome = talk.received(error(7), http=post)
    note = talk.journal.note(call, "this one hangs")
    note_on_outcome = talk.journal.note(outcome, "why?")
    return Busy(
        talk, call, post, tuple(progress), log, ask, answer, answer_post, cancel, outcome,
        note, note_on_outcome,
    )  # fmt: skip


def rounds(talk: Conversation | None = None) -> tuple[Conversation, list[int]]:
    """A call of the modern era in two rounds, which then becomes a task and is polled twice."""
    talk = talk or Conversation()
    numbers = [
        talk.sent(request(1, name="book", _meta=MODERN)),
        talk.received(result(1, resultType="input_required", requestState="S")),
        talk.sent(request(2, name="book", requestState="S", _meta=MODERN)),
        talk.received(result(2, resultType="task", taskId="T", status="working")),
        talk.sent(request(3, "tasks/get", taskId="T", _meta=MODERN)),
        talk.received(result(3, taskId="T", status="working")),
        talk.received(notification("notifications/tasks/status", taskId="T", status="working")),
        talk.sent(request(4, "tasks/get", taskId="T", _meta=MODERN)),
        talk.received(result(4, taskId="T", status="completed")),
    ]
    return talk, numbers
