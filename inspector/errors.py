"""Every exception this program raises on purpose.

What a peer does wrong is a value (a malformed message, an error reply, a finding); what we or the
user do wrong, and what makes going on impossible, is raised from here. The tree:

    InspectorError
    ├── UsageError          the command line or a field makes no sense         (exit 2)
    ├── ConnectionFailed    cannot start, connect, or be let in                (exit 3)
    ├── PeerViolation       the peer broke the protocol, no answer possible    (exit 4)
    ├── RequestTimeout      the peer took longer than allowed                  (exit 5)
    ├── RequestCancelled    somebody on our side cancelled the request
    └── RecordingError      a recording cannot be read or written              (exit 3)
"""

from typing import Final, Literal

WRONG_ERA: Final = "era"
"""The kind of a failed connection that another choice of protocol helps against."""

STDERR_HEADING: Final = "last lines of its stderr:\n"
"""Stands in a hint before what a process said last."""

CLOSED_STDOUT: Final = "closed stdout"
"""The state of a transport whose process lives on but can say no more."""

Fault = Literal["you", "server", "config", "network", "us"]
"""Whose fault it is, as the message says it."""


EXCERPT: Final = 200
"""Characters of what a peer said that a sentence of ours quotes."""


def excerpt(text: str, length: int = EXCERPT) -> str:
    """`text` as far as a sentence has room for it: what a peer says may be megabytes, and all of it
    stands in the journal. Of what is much longer it says how long it is."""
    if len(text) <= length:
        return text
    return text[:length] + (f"… ({len(text):,} characters)" if len(text) > 10 * length else "…")


class InspectorError(Exception):
    """The root of every error raised on purpose.

    `message` says what happened and where, `hint` the next step (may be empty), `kind` is a short
    stable word for machines (`{"error": {"kind", "message", "hint"}}` on stderr), `fault` names
    who has to act.
    """

    kind = "internal"
    fault: Fault = "us"

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        kind: str | None = None,
        fault: Fault | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if kind is not None:
            self.kind = kind
        if fault is not None:
            self.fault = fault


class UsageError(InspectorError):
    """The user asked for something that makes no sense as it stands."""

    kind = "usage"
    fault: Fault = "you"


class Undeclared(UsageError):
    """What the session did not negotiate; sent only where the user wants it all the same.

    `what` is what has to be permitted for that: a method, or a way of calling one.
    """

    kind = "capability"

    def __init__(self, message: str, what: str) -> None:
        super().__init__(message, hint="it can be sent anyway, by force")
        self.what = what


class ConnectionFailed(InspectorError):
    """The server cannot be started or reached, went away, or wants authorization first."""

    kind = "connect"
    fault: Fault = "server"


class PeerViolation(InspectorError):
    """The peer broke the protocol in a way that leaves no answer to give."""

    kind = "protocol"
    fault: Fault = "server"


class RequestTimeout(InspectorError):
    """No answer came within the time allowed."""

    kind = "timeout"
    fault: Fault = "server"


class RequestCancelled(InspectorError):
    """The request was cancelled on our side before an answer came."""

    kind = "cancelled"
    fault: Fault = "you"


class RecordingError(InspectorError):
    """A recording cannot be read or written; the only exception that leaves a reader."""

    kind = "recording"
    fault: Fault = "config"
