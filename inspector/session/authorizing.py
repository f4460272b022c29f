"""Which clocks stand still while a request waits for a token.

The time that a person takes to log in is not the server's: neither the limit of the call that waits
for it nor that of connecting runs on. How a token is got is not known here.
"""

from collections.abc import Callable

from inspector.protocol.messages import RequestId
from inspector.session.pending import Call, Calls
from inspector.transport.limit import Limit


class Authorizing:
    """Stops and starts the clocks of `calls` by `pause` and `resume`; `opening` is the limit of
    connecting, while that is under way."""

    def __init__(
        self, calls: Calls, pause: Callable[[Call], None], resume: Callable[[Call], None]
    ) -> None:
        self.opening: Limit | None = None
        self._calls = calls
        self._pause = pause
        self._resume = resume
        self._paused: dict[RequestId | None, list[tuple[Call, ...]]] = {}

    def turn(self, request_id: RequestId | None, on: bool) -> None:
        """That request (None: the connection itself) waits for a token, or has ended to."""
        if request_id is None and self.opening is not None:
            self.opening.pause() if on else self.opening.resume()
        if on:
            waiting = self._waiting(request_id)
            self._paused.setdefault(request_id, []).append(waiting)
            for call in waiting:
                self._pause(call)
        elif held := self._paused.get(request_id):
            for call in held.pop():
                self._resume(call)

    def _waiting(self, request_id: RequestId | None) -> tuple[Call, ...]:
        """The calls that wait for that: those of a connection are its opening ones; a further
        request of a call keeps that call waiting too."""
        if request_id is None:
            pending = self._calls.all_pending()
            return tuple(call for call in pending if call.method == "initialize")
        call = self._calls.pending(request_id)
        parent = self._calls.by_number(call.parent) if call is not None else None
        return tuple(one for one in (call, parent) if one is not None)
