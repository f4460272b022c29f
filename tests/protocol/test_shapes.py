"""What the shape table answers: schemas, since when, and the type of a message."""

import pytest
from jsonschema_rs import validator_for

from inspector.protocol.messages import MessageKind
from inspector.protocol.shapes import (
    TYPES,
    fields_of,
    introduced,
    params_type,
    schema_for,
    type_in,
    type_of_message,
)
from inspector.protocol.versions import REVISIONS, Revision


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_type_makes_a_schema_whose_references_all_exist(revision: Revision) -> None:
    for name in TYPES:
        if type_in(name, revision):
            validator_for(schema_for(name, revision))
        else:
            with pytest.raises(KeyError):
                schema_for(name, revision)


def test_no_two_rows_of_a_type_share_a_revision() -> None:
    for name, rows in TYPES.items():
        for revision in REVISIONS:
            assert sum(row.since <= revision <= row.until for row in rows) <= 1, name


def test_no_field_stands_twice_in_one_revision() -> None:
    for name in TYPES:
        for revision in REVISIONS:
            names = [field.name for field in fields_of(name, revision)]
            assert len(names) == len(set(names)), (name, revision)


@pytest.mark.parametrize(
    ("type_name", "field", "revision"),
    [
        ("Tool", "name", "2024-11-05"),
        ("Tool", "annotations", "2025-03-26"),
        ("Tool", "title", "2025-06-18"),
        ("Tool", "outputSchema", "2025-06-18"),
        ("Tool", "icons", "2025-11-25"),
        ("Tool", "execution", "2025-11-25"),
        ("ListToolsResult", "ttlMs", "2026-07-28"),
        ("CallToolResult", "structuredContent", "2025-06-18"),
        ("ResourceLink", "mimeType", "2025-06-18"),
        ("AudioContent", None, "2025-03-26"),
        ("ElicitRequestURLParams", None, "2025-11-25"),
        ("Tool", "noSuchField", None),
        ("NoSuchType", None, None),
        ("NoSuchType", "x", None),
    ],
)
def test_the_table_knows_since_when(
    type_name: str, field: str | None, revision: str | None
) -> None:
    assert introduced(type_name, field) == revision


@pytest.mark.parametrize(
    ("kind", "method", "revision", "type_name"),
    [
        (MessageKind.REQUEST, "tools/call", "2024-11-05", "CallToolRequest"),
        (MessageKind.RESULT, "tools/call", "2024-11-05", "CallToolResult"),
        (MessageKind.RESULT, "ping", "2025-11-25", "EmptyResult"),
        (MessageKind.REQUEST, "ping", "2026-07-28", None),
        (MessageKind.ERROR, "", "2025-06-18", "JSONRPCError"),
        (MessageKind.ERROR, "tools/call", "2025-11-25", "JSONRPCErrorResponse"),
        (MessageKind.NOTIFICATION, "notifications/progress", "2025-03-26", "ProgressNotification"),
        (MessageKind.RESULT, "notifications/progress", "2025-03-26", None),
        (MessageKind.REQUEST, "tasks/get", "2025-11-25", "GetTaskRequest"),
        (MessageKind.REQUEST, "tasks/get", "2026-07-28", "ExtensionGetTaskRequest"),
        (MessageKind.REQUEST, "elicitation/create", "2025-03-26", None),
        (MessageKind.BATCH, "", "2025-03-26", "JSONRPCMessage"),
        (MessageKind.REQUEST, "no/such", "2025-03-26", None),
    ],
)
def test_a_message_has_a_type_by_its_method_and_revision(
    kind: MessageKind, method: str, revision: str, type_name: str | None
) -> None:
    assert type_of_message(kind, method, Revision(revision)) == type_name


def test_params_have_a_type_in_every_revision_of_their_method() -> None:
    assert params_type("tools/call", Revision.V2024_11_05) == "CallToolRequestParams"
    assert params_type("tools/list", Revision.V2026_07_28) == "PaginatedRequestParams"
    assert params_type("notifications/tools/list_changed", Revision.V2025_06_18) == (
        "NotificationParams"
    )
    assert params_type("ping", Revision.V2026_07_28) is None
    assert params_type("no/such", Revision.V2026_07_28) is None


def test_a_schema_holds_only_what_its_revision_has() -> None:
    first = schema_for("Tool", Revision.V2024_11_05)["$defs"]
    assert isinstance(first, dict)
    assert set(first) == {"Tool"}
    tool = first["Tool"]
    assert isinstance(tool, dict)
    assert isinstance(tool["properties"], dict)
    assert set(tool["properties"]) == {"name", "description", "inputSchema"}
