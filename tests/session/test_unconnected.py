"""Where there is no connection, everything that needs one says so."""

import pytest

from inspector.errors import ConnectionFailed, UsageError
from inspector.protocol.messages import MessageKind
from inspector.session.unconnected import Unconnected
from inspector.transport.base import Outgoing
from tests.session.scene import ready


async def test_opening_raises_what_stands_in_the_way() -> None:
    async with ready() as s:
        sink = s.session.engine
        with pytest.raises(ConnectionFailed, match="not connected"):
            await Unconnected("x").open(sink)
        with pytest.raises(UsageError, match="no command"):
            await Unconnected("x", UsageError("no command")).open(sink)


async def test_nothing_can_be_sent_and_closing_is_harmless() -> None:
    transport = Unconnected("name")
    with pytest.raises(ConnectionFailed):
        await transport.send(Outgoing(b"{}", MessageKind.NOTIFICATION))
    await transport.close()
    assert (transport.facts.kind, transport.facts.label) == ("none", "name")
