"""Which type describes a message, and the unions of what each side may send."""

import pytest

from inspector.protocol.messages import Json
from inspector.protocol.methods import METHODS
from inspector.protocol.shapes import TYPES
from inspector.protocol.shapes_messages import MessageTypes, types_of
from inspector.protocol.versions import REVISIONS, Revision
from tests.protocol.verdicts import valid_in


def test_every_method_is_described_by_types_of_the_table() -> None:
    for name in METHODS:
        for revision in REVISIONS:
            types = types_of(name, revision)
            if types:
                assert types.message in TYPES
                assert types.result is None or types.result in TYPES


def test_a_method_of_an_extension_has_the_types_of_the_extension() -> None:
    assert types_of("tasks/cancel", Revision.V2025_11_25) == MessageTypes(
        "CancelTaskRequest", "CancelTaskResult"
    )
    assert types_of("tasks/cancel", Revision.V2026_07_28) == MessageTypes(
        "ExtensionCancelTaskRequest", "EmptyResult"
    )
    assert types_of("tasks/update", Revision.V2025_11_25) is None


def envelope(method: str, **params: Json) -> Json:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@pytest.mark.parametrize(
    ("type_name", "value", "revisions"),
    [
        ("ClientRequest", envelope("ping"), "ABCD"),
        ("ClientRequest", envelope("resources/subscribe", uri="a:b"), "ABCD"),
        ("ClientRequest", envelope("tasks/list"), "D"),
        ("ClientRequest", envelope("roots/list"), ""),
        ("ServerRequest", envelope("roots/list"), "ABCD"),
        ("ServerRequest", envelope("elicitation/create", message="m"), ""),
        ("ServerNotification", envelope("notifications/tools/list_changed"), "ABCDE"),
        ("ServerNotification", envelope("notifications/initialized"), ""),
        ("ClientNotification", envelope("notifications/initialized"), "ABCD"),
        ("ClientNotification", envelope("notifications/cancelled", requestId=1), "ABCDE"),
        ("ServerResult", {}, "ABCD"),
        ("ClientResult", {"resultType": "complete"}, "ABCDE"),
    ],
)
def test_what_each_side_may_send_in_which_revision(
    type_name: str, value: Json, revisions: str
) -> None:
    assert valid_in(type_name, value) == revisions
