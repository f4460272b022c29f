"""The transport of a session that has not been connected: there, and refusing to send."""

from inspector.errors import ConnectionFailed, InspectorError
from inspector.transport.base import Outgoing, Sink, Transport, TransportFacts


class Unconnected(Transport):
    """Stands in where there is no connection; `error` says why none can be made (None: nobody
    has tried yet)."""

    kind = "none"

    def __init__(self, label: str, error: InspectorError | None = None) -> None:
        self._label = label
        self._error = error

    @property
    def facts(self) -> TransportFacts:
        """Nothing but the name of the target."""
        return TransportFacts(self.kind, self._label)

    async def open(self, sink: Sink) -> None:
        """Raises what stands in the way."""
        raise self._error or ConnectionFailed("not connected", fault="you")

    async def send(self, outgoing: Outgoing) -> int:
        """Raises what stands in the way, or that there is no connection."""
        raise self._error or ConnectionFailed("not connected", fault="you")

    async def close(self) -> None:
        """Nothing to close."""
