"""Where the parts of a flow meet: the one action that is wanted now, the steps so far, and the two
ways on that every part has, a request and a failure.

Judges every URL before it becomes a wish, and takes every secret out of what is said. Which request
comes when is decided by the parts.
"""

from collections.abc import Callable

from inspector.auth import refusals
from inspector.auth.actions import Action, Failed, Finished, Listen, Send
from inspector.auth.exchange import OAuthRequest
from inspector.auth.policy import Perimeter, Refused, judge_url
from inspector.auth.search import Stopped
from inspector.auth.steps import StepLog

Then = Callable[[int, bytes, float], None]
"""Takes an answer: status, body, now."""


class Desk:
    """What the parts of one flow share."""

    def __init__(self, log: StepLog, within: Perimeter) -> None:
        self.log = log
        self.within = within
        self.action: Action = Listen()
        self._then: Then | None = None

    def send(self, request: OAuthRequest, then: Then, source: str = "") -> None:
        """Wants `request` sent, where its URL may be used; `then` takes the answer."""
        self.log.ask(request.url, source)
        verdict = judge_url(request.url, self.within)
        if isinstance(verdict, Refused):
            self.fail(refusals.url_refused(request.url, verdict))
            return
        self.action, self._then = Send(request), then

    def wait(self, action: Action) -> None:
        """Wants something that only a person, or a listener, can give."""
        self.log.turn("waiting")
        self.action = action

    def finish(self, finished: Finished) -> None:
        """Wants nothing more."""
        self.log.turn("done")
        self.action = finished

    def fail(self, stopped: Stopped) -> None:
        """Stands still at the current step."""
        self._then = None
        self.log.remark(stopped.remarks)
        self.log.turn("failed")
        self.action = Failed(
            self.log.stage,
            stopped.kind,
            self.log.clean(stopped.message),
            self.log.clean(stopped.hint),
            stopped.fault,
            self.log.cleaned(stopped.remarks),
        )

    def answered(self, status: int, body: bytes, now: float) -> None:
        """The answer to what was to be sent; ignored where nothing was."""
        then, self._then = self._then, None
        if isinstance(self.action, Send) and then is not None:
            self.log.learn_body(body)
            then(status, body, now)
