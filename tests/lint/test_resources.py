"""The rules of resources, prompts and completion."""

from pathlib import Path

import pytest

from inspector.protocol.messages import Json
from tests.lint.bench import Case, Step, ask, bad, check, http, ok, play, say

READ = ask(1, "resources/read", uri="a:b")
GET = ask(1, "prompts/get", name="p", arguments={})
PROMPT = [
    ask(2, "prompts/list"),
    ok(2, prompts=[{"name": "p", "arguments": [{"name": "x", "required": True}]}]),
]
COMPLETE = ask(
    1,
    "completion/complete",
    ref={"type": "ref/prompt", "name": "p"},
    argument={"name": "a", "value": ""},
)


def listed(uri: str) -> list[Step]:
    return [ask(1, "resources/list"), ok(1, resources=[{"uri": uri, "name": "x"}])]


def templates(template: str) -> list[Step]:
    return [
        ask(1, "resources/templates/list"),
        ok(1, resourceTemplates=[{"uriTemplate": template, "name": "x"}]),
    ]


def message(role: str) -> Json:
    return [{"role": role, "content": {"type": "text", "text": "x"}}]


def values(count: int) -> list[Step]:
    return [COMPLETE, ok(1, completion={"values": ["x"] * count})]


OFFERED = (
    ask(8, "resources/list"), ok(8, resources=[]),
    ask(9, "resources/templates/list"), ok(9, resourceTemplates=[]),
)  # fmt: skip

CASES = (
    Case("res/uri-invalid", "D", listed("no scheme"), listed("file:///a%20b")),
    Case(
        "res/text-and-blob",
        "D",
        [READ, ok(1, contents=[{"uri": "a:b", "text": "x", "blob": "AAAA"}])],
        [READ, ok(1, contents=[{"uri": "a:b", "text": "x"}])],
    ),
    Case(
        "res/not-found-code",
        "D",
        [READ, bad(1, -32603, "Resource not found")],
        [READ, bad(1, -32002, "Resource not found")],
    ),
    Case(
        "res/not-found-code",
        "E",
        [READ, bad(1, -32603, "Resource not found")],
        [READ, bad(1, -32602, "Resource not found")],
    ),
    Case(
        "res/not-found-code",
        "D",
        [READ, bad(1, -32000, "No such file")],
        [READ, bad(1, -32001, "Session not found")],
        name="-words",
    ),
    Case(
        "res/not-found-code",
        "D",
        [*OFFERED, READ, bad(1, -32000, "Oops")],
        [READ, bad(1, -32000, "Oops")],
        name="-in-no-list",
    ),
    Case(
        "res/empty-not-found",
        "E",
        [READ, ok(1, contents=[], ttlMs=0, cacheScope="public")],
        [READ, ok(1, contents=[{"uri": "a:b", "text": ""}], ttlMs=0, cacheScope="public")],
    ),
    Case("res/template-syntax", "D", templates("a://{b"), templates("a://{b}/{+c*}{?d,e:3}")),
    Case("res/template-syntax", "D", templates("a://{b c}"), templates("a://b"), name="-inside"),
    Case(
        "res/updated-unsubscribed",
        "D",
        [say("notifications/resources/updated", uri="a:b")],
        [
            ask(1, "resources/subscribe", uri="a:b"),
            say("notifications/resources/updated", uri="a:b/c"),
        ],
    ),
    Case(
        "prompt/missing-arg-code",
        "D",
        [*PROMPT, GET, bad(1, -32603)],
        [*PROMPT, GET, bad(1, -32602)],
    ),
    Case(
        "prompt/role",
        "D",
        [GET, ok(1, messages=message("system"))],
        [GET, ok(1, messages=message("user"))],
    ),
    Case("comp/too-many", "D", values(101), values(100)),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)


def test_an_update_on_another_stream_may_be_from_before_the_subscription_ended(
    tmp_path: Path,
) -> None:
    late = say("notifications/resources/updated", uri="memo://a")
    steps = [
        *(ask(1, "resources/subscribe", uri="memo://a"), http(), ok(1)),
        *(ask(2, "resources/unsubscribe", uri="memo://a"), http(), ok(2)),
        (get := http(200, "text/event-stream", method="GET")),
        late,
    ]
    case = Case("none", "D", steps, (), transport="http")
    assert play(case, steps, tmp_path / "a.jsonl", [get, late]) == []
    again = play(case, steps, tmp_path / "b.jsonl")
    assert {each.rule for each in again} == {"res/updated-unsubscribed"}
