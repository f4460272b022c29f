"""The table of methods."""

import pytest

from inspector.protocol.messages import MessageKind
from inspector.protocol.methods import (
    INPUT_REQUIRED_METHODS,
    METHODS,
    allowed,
    extension_of,
    introduced_in,
    method,
)
from inspector.protocol.shapes import fields_of, type_of_message
from inspector.protocol.shapes_base import Const
from inspector.protocol.versions import LATEST, REVISIONS, TASKS_EXTENSION, Revision


@pytest.mark.parametrize("name", sorted(METHODS))
def test_every_method_has_a_shape_exactly_where_it_is_allowed(name: str) -> None:
    row = METHODS[name]
    for revision in REVISIONS:
        message_type = type_of_message(row.kind, name, revision)
        known = allowed(name, revision) or revision in row.embedded
        assert (message_type is not None) == known, revision
        if message_type and (fields := fields_of(message_type, revision)):
            shapes = {field.name: field.shape for field in fields}
            assert shapes["method"] == Const(name)
        if known and row.kind is MessageKind.REQUEST:
            assert type_of_message(MessageKind.RESULT, name, revision)


def test_notifications_are_named_as_such_and_requests_are_not() -> None:
    for name, row in METHODS.items():
        assert name.startswith("notifications/") == (row.kind is MessageKind.NOTIFICATION)


def test_methods_come_and_go_with_revisions() -> None:
    assert allowed("initialize", Revision.V2025_11_25)
    assert not allowed("initialize", Revision.V2026_07_28)
    assert not allowed("elicitation/create", Revision.V2025_03_26)
    assert not allowed("server/discover", Revision.V2025_11_25)
    assert not allowed("no/such", LATEST)
    assert method("no/such") is None
    assert introduced_in("elicitation/create") is Revision.V2025_06_18
    assert introduced_in("tasks/update") is Revision.V2026_07_28
    assert introduced_in("no/such") is None


def test_tasks_are_core_in_one_revision_and_an_extension_in_the_next() -> None:
    assert extension_of("tasks/get", Revision.V2025_11_25) is None
    assert extension_of("tasks/get", Revision.V2026_07_28) == TASKS_EXTENSION
    assert extension_of("tools/call", Revision.V2026_07_28) is None
    assert extension_of("no/such", Revision.V2026_07_28) is None
    row = METHODS["tasks/cancel"]
    assert row.needs(Revision.V2025_11_25) == ("tasks", "cancel")
    assert row.needs(Revision.V2026_07_28) == ("extensions", TASKS_EXTENSION)
    assert row.sender_in(Revision.V2025_11_25) == "both"
    assert row.sender_in(Revision.V2026_07_28) == "client"


def test_capabilities_name_who_declares_them() -> None:
    assert METHODS["tools/call"].declared_by == "server"
    assert METHODS["sampling/createMessage"].declared_by == "client"
    assert METHODS["notifications/roots/list_changed"].declared_by == "client"
    assert METHODS["notifications/tools/list_changed"].declared_by == "server"
    assert METHODS["ping"].declared_by is None


def test_completion_needs_no_capability_before_there_is_one() -> None:
    completion = METHODS["completion/complete"]
    assert completion.needs(Revision.V2024_11_05) is None
    assert completion.needs(Revision.V2025_03_26) == ("completions",)


def test_what_the_modern_era_embeds_is_no_message_there() -> None:
    embedded = {name for name, row in METHODS.items() if LATEST in row.embedded}
    assert embedded == {"sampling/createMessage", "roots/list", "elicitation/create"}
    assert not any(allowed(name, LATEST) for name in embedded)
    assert all(allowed(name, LATEST) for name in INPUT_REQUIRED_METHODS)


def test_every_method_has_a_page_in_every_revision() -> None:
    for row in METHODS.values():
        assert all(row.page_in(revision) for revision in REVISIONS)
    cancelled = METHODS["notifications/cancelled"]
    assert cancelled.page_in(Revision.V2025_11_25) == "basic/utilities/cancellation"
    assert cancelled.page_in(LATEST) == "basic/patterns/cancellation"
