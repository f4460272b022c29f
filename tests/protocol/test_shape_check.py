"""Judging values: what is said, where, and that nothing raises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.messages import Json, JsonObject, MessageKind
from inspector.protocol.shape_check import PROBLEM_LIMIT, ShapeChecker, ShapeProblem
from inspector.protocol.shapes import TYPES, type_in
from inspector.protocol.versions import REVISIONS, Revision

CHECKERS = {revision: ShapeChecker(revision) for revision in REVISIONS}
OLDEST, LATEST = REVISIONS[0], REVISIONS[-1]
TASKS = Revision.V2025_11_25


def problems(type_name: str, value: bytes | Json, revision: Revision = TASKS) -> dict[str, str]:
    return {p.pointer: p.message for p in CHECKERS[revision].check(type_name, value)}


VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "content", "text", "jsonrpc", "method", "params", "result"])
            | st.text(st.characters(), max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)


@given(VALUES, st.sampled_from(REVISIONS), st.sampled_from(sorted(TYPES)))
def test_judging_never_raises_whatever_the_value(
    value: Json, revision: Revision, name: str
) -> None:
    if type_in(name, revision):
        for problem in CHECKERS[revision].check(name, value):
            assert problem.message


@given(st.binary(), st.sampled_from(list(MessageKind)))
def test_judging_bytes_never_raises(raw: bytes, kind: MessageKind) -> None:
    CHECKERS[LATEST].check_message(kind, "tools/call", raw)


def test_problems_carry_a_json_pointer_and_plain_words() -> None:
    tool: Json = {
        "name": 1,
        "inputSchema": {"type": "array"},
        "icons": [{"src": "a:b"}, {"a/b": 1}],
    }
    assert problems("Tool", tool) == {
        "/name": "is an integer, should be a string",
        "/inputSchema/type": 'is "array", should be "object"',
        "/icons/1": 'lacks the member "src"',
    }
    form: Json = {
        "message": "m",
        "requestedSchema": {"type": "object", "properties": {"a/b~c": {"type": "blob"}}},
    }
    assert list(problems("ElicitRequestParams", form)) == [
        "/requestedSchema/properties/a~1b~0c/type"
    ]


@pytest.mark.parametrize(
    ("type_name", "value", "message"),
    [
        ("LoggingLevel", "loud", 'is "loud", should be one of "debug", "info"'),
        ("Annotations", {"priority": 2}, "is 2, should be at most 1"),
        ("RequestId", 1.5, "is a number, should be an integer or a string"),
        ("RequestId", None, "is null, should be an integer or a string"),
        ("Role", True, "is a boolean, should be a string"),
        ("Cursor", {}, "is an object, should be a string"),
        ("Cursor", [], "is an array, should be a string"),
    ],
)
def test_each_kind_of_problem_has_its_words(type_name: str, value: Json, message: str) -> None:
    (found,) = CHECKERS[TASKS].check(type_name, value)[:1]
    assert found.message.startswith(message)


def test_of_a_choice_the_option_that_is_meant_is_explained() -> None:
    content: Json = [
        {"type": "text"},
        {"type": "hologram"},
        {"type": "image", "data": "x"},
        {"type": "resource", "resource": {"uri": "a:b"}},
        5,
    ]
    assert problems("CallToolResult", {"content": content}) == {
        "/content/0": 'lacks the member "text"',
        "/content/1/type": 'is "hologram", should be one of "text", "image", "audio", '
        '"resource_link", "resource"',
        "/content/2": 'lacks the member "mimeType"',
        "/content/3/resource": 'lacks the member "text"',
        "/content/4": "is an integer, should be an object",
    }


def test_a_broken_result_is_not_explained_as_a_broken_request() -> None:
    raw = b'{"jsonrpc":"2.0","id":1,"result":5}'
    assert problems("JSONRPCMessage", raw) == {"/result": "is an integer, should be an object"}


def test_values_that_the_validator_cannot_take_are_judged_all_the_same() -> None:
    progress: JsonObject = {
        "progressToken": "\ud800",
        "progress": float("inf"),
        "total": float("-inf"),
    }
    assert problems("ProgressNotificationParams", progress) == {}
    assert problems("ProgressNotificationParams", {**progress, "\ud800": 1, "message": 1}) == {
        "/message": "is an integer, should be a string"
    }
    assert problems("LoggingMessageNotificationParams", b'{"level":"info","data":1e400}') == {}


@pytest.mark.parametrize("depth", [99, 200, 300, 500, 5000])
def test_what_is_nested_deep_is_judged_all_the_same(depth: int) -> None:
    deep: Json = "\ud800"
    for _ in range(depth):
        deep = [deep]
    assert problems("CallToolResult", {"content": [], "x": deep}) == {}
    assert problems("CallToolResult", {"content": [], "x": deep, "isError": "\ud800"}) == {
        "/isError": "is a string, should be a boolean"
    }
    assert problems("CallToolResult", {"content": deep}) == {
        "/content/0": "is an array, should be an object"
    }
    assert problems("JSONRPCMessage", {"jsonrpc": "2.0", "id": 1, "result": deep}) == {
        "/result": "is an array, should be an object"
    }


def test_a_value_with_very_many_problems_gives_a_bounded_list() -> None:
    found = CHECKERS[TASKS].check("ListToolsResult", {"tools": [1] * 1000})
    assert len(found) == PROBLEM_LIMIT


def test_a_type_that_the_revision_does_not_have_is_our_own_mistake() -> None:
    with pytest.raises(KeyError):
        CHECKERS[OLDEST].check("ElicitResult", {})


def test_a_whole_message_is_judged_with_its_envelope() -> None:
    check = CHECKERS[OLDEST].check_message
    good = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}'
    assert check(MessageKind.REQUEST, "tools/call", good) == []
    bare = b'{"method":"tools/call","params":{}}'
    found = check(MessageKind.REQUEST, "tools/call", bare)
    assert found is not None
    assert {(p.pointer, p.message) for p in found} == {
        ("", 'lacks the member "jsonrpc"'),
        ("", 'lacks the member "id"'),
        ("/params", 'lacks the member "name"'),
    }
    assert check(MessageKind.NOTIFICATION, "notifications/initialized", b'{"method":1}')
    assert check(MessageKind.ERROR, "x", b'{"jsonrpc":"2.0","id":1,"error":{"code":1}}')
    assert check(MessageKind.REQUEST, "no/such", good) is None
    assert check(MessageKind.REQUEST, "tools/call", b"{") == [
        ShapeProblem("", "it is not JSON: it ends in the middle")
    ]


def test_meta_is_judged_in_every_message_of_the_older_revisions() -> None:
    """2025-06-18 schema, JSONRPCRequest: `params._meta` of every request; the method's own type
    does not name it there."""
    raw = (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
        b'"params":{"name":"x","_meta":{"progressToken":null}}}'
    )
    for revision in REVISIONS[:4]:
        assert CHECKERS[revision].check_message(MessageKind.REQUEST, "tools/call", raw) == [
            ShapeProblem("/params/_meta/progressToken", "is null, should be an integer or a string")
        ]
    bare = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"_meta":[],"progress":1,'
    found = CHECKERS[REVISIONS[2]].check_message(
        MessageKind.NOTIFICATION, "notifications/progress", bare + b'"progressToken":1}}'
    )
    assert found == [ShapeProblem("/params/_meta", "is an array, should be an object")]


def test_a_batch_is_a_message_in_one_revision_only() -> None:
    """2025-03-26 basic, batching."""
    raw = b'[{"jsonrpc":"2.0","method":"x"}]'
    judged = {r.value: CHECKERS[r].check_message(MessageKind.BATCH, "", raw) for r in REVISIONS}
    assert [revision for revision, found in judged.items() if found == []] == ["2025-03-26"]
    assert judged["2025-06-18"] == [ShapeProblem("", "is an array, should be an object")]


def test_the_result_is_judged_as_the_answer_to_its_request() -> None:
    raw = b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"x"}]}}'
    assert CHECKERS[TASKS].check_message(MessageKind.RESULT, "tools/list", raw) == [
        ShapeProblem("/result/tools/0", 'lacks the member "inputSchema"')
    ]
    assert CHECKERS[TASKS].check_message(MessageKind.RESULT, "ping", raw) == []


def test_an_answer_is_judged_as_what_it_says_it_is() -> None:
    task: JsonObject = {"taskId": "1", "status": "working", "createdAt": "x", "lastUpdatedAt": "y"}

    def pointers(revision: Revision, method: str, result: Json) -> list[str] | None:
        message: Json = {"jsonrpc": "2.0", "id": 1, "result": result}
        found = CHECKERS[revision].check_message(MessageKind.RESULT, method, message)
        return None if found is None else [problem.pointer for problem in found]

    assert pointers(TASKS, "tools/call", {"task": {**task, "ttl": None}}) == []
    assert pointers(TASKS, "tools/call", {"task": task}) == ["/result/task"]
    assert pointers(TASKS, "tools/call", {"content": [], "task": 1}) == []
    assert pointers(TASKS, "tools/list", {"task": {**task, "ttl": None}}) == ["/result"]
    extension: JsonObject = {**task, "resultType": "task", "ttlMs": 5}
    assert pointers(LATEST, "tools/call", extension) == []
    assert pointers(LATEST, "prompts/get", extension) == ["/result"]
    wish: JsonObject = {
        "resultType": "input_required",
        "inputRequests": {"a": {"method": "roots/list"}},
    }
    assert pointers(LATEST, "tools/call", wish) == []
    assert pointers(LATEST, "tools/list", wish) != []
    assert pointers(LATEST, "tools/call", {**wish, "requestState": 1}) == ["/result/requestState"]
    assert pointers(LATEST, "tools/call", {"content": []}) == ["/result"]
    assert pointers(LATEST, "tools/call", 5) == ["/result"]


def test_validators_are_made_once_and_only_when_needed() -> None:
    checker = ShapeChecker(TASKS)
    assert checker.made == 0
    checker.check("Tool", {})
    checker.check("Tool", {})
    assert checker.made == 1


@pytest.mark.parametrize(
    ("method", "result", "pointer"),
    [
        ("tools/list", {"tools": [1] * 300_000}, "/result/tools/0"),
        ("tools/call", {"content": [{"type": "text"}] * 50_000}, "/result/content/0"),
        (
            "tools/call",
            {"content": [*[{"type": "text", "text": ""}] * 50_000, {"type": "text"}]},
            "/result/content/50000",
        ),
        ("resources/read", {"contents": [{"uri": 1}] * 50_000}, "/result/contents/0"),
        (
            "tools/list",
            {"tools": [{"name": "x", "inputSchema": {"type": "object", "properties": {
                f"p{n}": 1 for n in range(50_000)}}}]},
            "/result/tools/0/inputSchema/properties/p0",
        ),
    ],
)  # fmt: skip
def test_a_long_answer_that_is_wrong_everywhere_is_told_by_its_beginning(
    method: str, result: JsonObject, pointer: str
) -> None:
    """A hang here is what the time limit of all tests is for: it took half a minute."""
    message: JsonObject = {"jsonrpc": "2.0", "id": 1, "result": result}
    checker = ShapeChecker(Revision.V2025_11_25)
    found = checker.check_message(MessageKind.RESULT, method, message)
    assert found
    assert found[0].pointer.startswith(pointer)
    assert len(found) <= 100
