"""Which era a workbench speaks with a server: chosen, found out once, found out anew."""

import pytest

from inspector.errors import UsageError
from inspector.workbench import Workbench
from tests.session.scene import soon
from tests.wires import QUIET, TARGET, Wires, events


async def test_another_choice_of_protocol_is_one_reconnect_in_the_same_journal() -> None:
    wires = Wires()
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        await soon(bench.connect())
        spoken = []
        for protocol in ("modern", "2025-11-25", "auto"):
            state = await soon(bench.speak(protocol))
            assert state.ready
            spoken.append(state.revision_text)
        assert spoken == ["2026-07-28", "2025-11-25", "2026-07-28"]
        assert events(bench) == ["connection"] * 4
        assert bench.options.protocol == "auto"
        with pytest.raises(UsageError):
            await soon(bench.speak("1999"))
        assert bench.session.state.ready, "a choice that names nothing ends nothing"
