"""The capability table: declared by whom, since when, used how often."""

import pytest

from inspector.journal.entries import Direction
from inspector.journal.method_counts import MethodCounts
from inspector.protocol.messages import JsonObject
from inspector.protocol.versions import REVISIONS, Revision
from inspector.tui.capability_rows import (
    DECLARED_CAP,
    capability_rows,
    declared_paths,
    without_row,
)
from tests.journal.conversation import Conversation, notification, request


def test_a_revision_lists_what_it_knows_and_nothing_later() -> None:
    early = capability_rows("server", {}, Revision.V2024_11_05, {})
    late = capability_rows("server", {}, Revision.V2025_11_25, {})
    assert "tasks" not in {row.name for row in early}
    assert "completions" not in {row.name for row in early}
    assert {"tasks", "completions"} <= {row.name for row in late}
    assert not any(row.declared for row in late)


def test_what_no_revision_knows_is_shown_as_unknown() -> None:
    rows = capability_rows("server", {"teleport": {"far": True}}, Revision.V2025_11_25, {})
    beyond = {row.name: row for row in rows if row.since is None}
    assert set(beyond) == {"teleport", "teleport.far"}
    assert all(row.declared for row in beyond.values())


def test_a_later_capability_declared_too_early_keeps_its_revision() -> None:
    rows = capability_rows("server", {"tasks": {}}, Revision.V2025_03_26, {})
    (tasks,) = (row for row in rows if row.name == "tasks")
    assert tasks.declared
    assert tasks.since is Revision.V2025_11_25


def test_false_and_null_declare_nothing() -> None:
    assert declared_paths({"tools": {"listChanged": False}, "logging": None, "prompts": {}}) == [
        ("tools",),
        ("prompts",),
    ]


def test_use_is_counted_by_method_for_this_connection_only() -> None:
    talk = Conversation()
    talk.sent(request(1, "tools/list"))
    talk.connection = talk.journal.begin_connection({})
    for number in range(3):
        talk.sent(request(number, "tools/call", name="x"))
    talk.received(notification("notifications/tools/list_changed"))
    counts = MethodCounts(talk.journal)
    counts.catch_up(talk.connection)
    assert counts.by_method() == {
        (Direction.SENT, "tools/call"): 3,
        (Direction.RECEIVED, "notifications/tools/list_changed"): 1,
    }
    rows = capability_rows(
        "server",
        {"tools": {"listChanged": True}},
        Revision.V2025_11_25,
        counts.by_method(),
    )
    used = {row.name: row.uses for row in rows if row.uses}
    assert used == {
        "tools": (("tools/call", 3),),
        "tools.listChanged": (("notifications/tools/list_changed", 1),),
    }
    talk.sent(request(9, "tools/call", name="x"))
    counts.catch_up(talk.connection)
    assert counts.by_method()[(Direction.SENT, "tools/call")] == 4


def test_a_long_journal_is_counted_in_slices() -> None:
    talk = Conversation()
    for number in range(30):
        talk.sent(request(number, "tools/call", name="x"))
    counts = MethodCounts(talk.journal)
    seen = []
    while counts.behind:
        counts.catch_up(talk.connection, limit=10)
        seen.append(counts.by_method()[Direction.SENT, "tools/call"])
    assert seen[0] < 11
    assert len(seen) > 2
    assert seen[-1] == 30


@pytest.mark.parametrize("revision", REVISIONS)
def test_no_row_is_listed_twice(revision: Revision) -> None:
    declared: JsonObject = {"tasks": {"requests": {"tools": {"call": {}}}, "list": {}}, "tools": {}}
    rows = capability_rows("server", declared, revision, {})
    paths = [row.path for row in rows]
    assert len(paths) == len(set(paths))


def test_the_modern_era_has_its_own_capabilities_and_marks_what_it_deprecates() -> None:
    server = {row.name: row for row in capability_rows("server", {}, Revision.V2026_07_28, {})}
    client = {row.name: row for row in capability_rows("client", {}, Revision.V2026_07_28, {})}
    assert "tasks" not in server
    assert "roots.listChanged" not in client
    assert {"completions", "extensions"} <= set(server)
    assert [name for name, row in server.items() if row.deprecated] == ["logging"]
    deprecated = {name for name, row in client.items() if row.deprecated}
    assert deprecated == {"roots", "sampling", "sampling.tools", "sampling.context"}
    older = capability_rows("client", {}, Revision.V2025_11_25, {})
    assert not any(row.deprecated for row in older)


def test_extensions_stand_below_their_holder_with_their_settings() -> None:
    declared: JsonObject = {
        "extensions": {
            "com.example/a": {"most": 3},
            "io.modelcontextprotocol/tasks": {},
            "off": False,
        },
        "experimental": {"mine": {}},
        "teleport": {},
    }
    counts = {(Direction.SENT, "tasks/update"): 2}
    rows = capability_rows("server", declared, Revision.V2026_07_28, counts)
    names = [row.name for row in rows]
    at = names.index("extensions")
    assert names[at : at + 3] == ["extensions", "com.example/a", "io.modelcontextprotocol/tasks"]
    assert names[names.index("experimental") + 1] == "mine"
    assert names[-1] == "teleport"
    found = {row.name: row for row in rows}
    assert found["com.example/a"].settings == '{"most":3}'
    assert found["com.example/a"].since is Revision.V2026_07_28
    assert not found["com.example/a"].spoken
    tasks = found["io.modelcontextprotocol/tasks"]
    assert (tasks.settings, tasks.spoken, tasks.uses) == ("", True, (("tasks/update", 2),))
    assert "off" not in names
    assert found["teleport"].since is None


def test_an_extension_declared_in_the_handshake_era_names_the_revision_that_brought_it() -> None:
    declared: JsonObject = {"extensions": {"com.example/a": {}}}
    rows = {r.name: r for r in capability_rows("server", declared, Revision.V2025_11_25, {})}
    assert rows["extensions"].since is Revision.V2026_07_28
    assert rows["com.example/a"].declared


def test_of_thousands_of_experiments_some_are_rows_and_the_rest_is_counted() -> None:
    declared: JsonObject = {"experimental": {f"k{n}": {} for n in range(3000)}}
    rows = capability_rows("server", declared, Revision.V2025_11_25, {})
    shown = sum(row.declared for row in rows)
    assert shown == DECLARED_CAP
    assert shown + without_row(declared) == len(declared_paths(declared))
    assert without_row({"experimental": {"k": {}}}) == 0
