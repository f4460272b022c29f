"""What an HTTP exchange brought, journalled and handed on: messages, failures, and odd bodies.

Decides what the body of an answer means for the request it was asked for, and words why a body
answers nothing. Which exchange is made, and what follows from it for the session, is left to the
transports of either era; whoever speaks for a connection is named by `sink`.
"""

from typing import TYPE_CHECKING, Final

from inspector.auth.attempt import Asks
from inspector.errors import InspectorError, PeerViolation, excerpt
from inspector.journal.entries import Direction, SseFacts
from inspector.protocol.messages import (
    Batch,
    ErrorReply,
    JsonObject,
    Malformed,
    MessageKind,
    Notification,
    Request,
    RequestId,
    Result,
    decode,
    read_envelope,
)
from inspector.transport.base import Outgoing, Sink
from inspector.transport.http_client import Answer
from inspector.transport.http_errors import answer_error
from inspector.transport.http_stream import answers, split_messages

if TYPE_CHECKING:
    from inspector.journal.journal import Journal


_BY_ITSELF: Final = frozenset({"ping", "notifications/cancelled"})


class Delivery:
    """The way of one connection's messages into the journal and to the sink.

    `over` is set once we close: nobody is told of failures any more.
    """

    def __init__(self, journal: "Journal", connection: int, *, lost: str = "") -> None:
        """`lost` is the hint for a request whose answer broke off."""
        self._lost = lost
        self.sink: Sink | None = None
        self.over = False
        self._journal = journal
        self._connection = connection

    def deliver(
        self,
        raw: bytes,
        about: RequestId | None,
        http: int,
        stream: str,
        event: SseFacts | None = None,
    ) -> int:
        """A message: its entry number, once the sink has taken it."""
        number = self.keep(raw, http, stream, event)
        if self.sink is not None:
            self.sink.received(number, raw, about)
        return number

    def keep(self, raw: bytes, http: int, stream: str, event: SseFacts | None = None) -> int:
        """A message that is journalled and nothing more."""
        return self._journal.frame(
            Direction.RECEIVED,
            raw,
            connection=self._connection,
            http=http,
            stream=stream,
            event=event,
        )

    def fail(
        self, about: RequestId | None, error: InspectorError, number: int | None, what: str
    ) -> None:
        """That request gets no answer; of anything else it is noted that it did not arrive."""
        if self.over:
            return
        error = without_secrets(error, self._journal)
        if about is None:
            self.event("not-delivered", {"message": what, "reason": error.message})
        elif self.sink is not None:
            self.sink.failed(about, error, number)

    def arriving(self, about: RequestId | None, count: int) -> None:
        """So many bytes of its answer have come, which are no message yet."""
        if self.sink is not None and about is not None:
            self.sink.arriving(about, count)

    def authorizing(self, about: RequestId | None, on: bool) -> None:
        """That request waits for a token, or has ended to."""
        if self.sink is not None:
            self.sink.authorizing(about, on)

    def event(self, name: str, facts: JsonObject) -> None:
        """Something that happened to the connection."""
        self._journal.event(name, facts, connection=self._connection)

    async def take_json(self, outgoing: Outgoing, answer: Answer) -> None:
        """A JSON body: one message, or several lines of one each. What of it came before it broke
        off is kept."""
        about, what = about_of(outgoing), outgoing.method
        answer.arriving = lambda count: self.arriving(about, count)
        try:
            body = await answer.read()
        except InspectorError as error:
            error.hint = error.hint or self._lost
            number = self.keep(answer.body, answer.number, "POST") if answer.body else None
            self.fail(about, error, number or answer.number, what)
            return
        if not body.strip():
            if about is not None:
                empty = answer_error(answer.status, answer.media, b"", what)
                self.fail(about, empty, answer.number, what)
            return
        number, answered = answer.number, False
        for raw in split_messages(body):
            number = self.deliver(raw, about, answer.number, "POST")
            answered = answered or (about is not None and answers(raw, about))
        if about is not None and not answered:
            self.fail(about, no_response(what, body, about, number), number, what)

    def take_odd(self, outgoing: Outgoing, answer: Answer) -> None:
        """A 2xx that is neither JSON nor an event stream. A message in it is shown, but a request
        is not answered by it: no client takes a message of another content type."""
        about = about_of(outgoing)
        number = answer.number
        if is_message(answer.body):
            number = self.keep(answer.body, answer.number, "POST")
        if about is not None:
            error = answer_error(answer.status, answer.media, answer.told, outgoing.method)
            self.fail(about, error, number, outgoing.method)

    def take_refused(self, outgoing: Outgoing, answer: Answer, error: InspectorError) -> None:
        """What stands in the body of an HTTP error: an error reply answers the request, a result
        does not, since the status says that there is none."""
        about, number = about_of(outgoing), answer.number
        if is_message(answer.body):
            number = self.keep(answer.body, answer.number, "POST")
            if read_envelope(answer.body).kind is MessageKind.RESULT:
                error.hint = f"entry {number} is a result all the same; the status denies it"
            elif self.sink is not None:
                self.sink.received(number, answer.body, about)
        self.fail(about, error, number, outgoing.method)


def without_secrets(error: InspectorError, journal: "Journal") -> InspectorError:
    """`error` without what is known to be secret: a server may repeat our token in what it says."""
    for name in ("message", "hint"):
        raw = str(getattr(error, name)).encode("utf-8", "backslashreplace")
        masked, changed = journal.redactor.text(raw)
        if changed:
            setattr(error, name, masked.decode("utf-8", "replace"))
    error.args = (error.message,)
    return error


def about_of(outgoing: Outgoing) -> RequestId | None:
    """The id of the request that is sent; None for anything else."""
    return outgoing.id if outgoing.kind is MessageKind.REQUEST else None


def asks_of(outgoing: Outgoing) -> Asks:
    """Whether a person may be asked for the sake of this message. Not for what goes out by itself,
    nor to tell a server that nobody waits for an answer any more."""
    return Asks.NEVER if outgoing.method in _BY_ITSELF else Asks.PERSON


def is_message(body: bytes) -> bool:
    """Whether a body is a JSON-RPC message, whatever its content type."""
    return bool(body) and read_envelope(body).kind is not MessageKind.MALFORMED


def no_response(what: str, body: bytes, about: RequestId, number: int) -> PeerViolation:
    """Why a body is no response to the request `about`."""
    match decode(body):
        case Malformed(reason=reason):
            why = reason
        case Result(id=other) | ErrorReply(id=other):
            why = f"it answers the id {excerpt(repr(other))}, not {about!r}"
            if str(other) == str(about):
                why += " (a string is not a number)"
        case Request(method=method) | Notification(method=method):
            why = f"it is a message of the server's own, {excerpt(method)}"
        case Batch():
            why = "no member of the batch answers it"
    return PeerViolation(
        f"the HTTP answer to {what} holds no response to it: {why}",
        hint=f"entry {number} shows its bytes",
    )
