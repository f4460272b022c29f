"""Which revision judges a message."""

import pytest

from inspector.journal.entries import NO_FLAGS, Direction, Kind, Row
from inspector.lint.catalog import RULES
from inspector.lint.look import Look
from inspector.lint.revisions import handshaken, own_revision
from inspector.lint.state import Connection
from inspector.protocol.messages import JsonObject, encode_json, read_envelope
from inspector.protocol.versions import Revision


def _look(value: JsonObject) -> Look:
    raw = encode_json({"jsonrpc": "2.0", **value})
    row = Row(1, Kind.REQUEST, Direction.SENT, 1, 0.0, 0.0, "", 0, None, None, None, NO_FLAGS, None)
    return Look(RULES, Connection(1, {}), row, raw, read_envelope(raw), value)


@pytest.mark.parametrize(
    ("message", "revision"),
    [
        (
            {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}},
            Revision.V2025_03_26,
        ),
        (
            {
                "id": 1,
                "method": "ping",
                "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}},
            },
            Revision.V2026_07_28,
        ),
        ({"id": 1, "method": "ping", "params": {"protocolVersion": "2025-03-26"}}, None),
        ({"method": "initialize", "params": {"protocolVersion": "2025-03-26"}}, None),
        ({"id": 1, "method": "initialize", "params": {"protocolVersion": "1999-01-01"}}, None),
    ],
)
def test_a_request_may_name_its_revision(message: JsonObject, revision: Revision | None) -> None:
    assert own_revision(_look(message)) is revision


def test_no_answer_to_initialize_settles_the_modern_revision() -> None:
    said = [
        _look({"id": 1, "result": {"protocolVersion": v}}) for v in ("2026-07-28", "2025-11-25")
    ]
    assert [handshaken(each) for each in said] == [None, Revision.V2025_11_25]
