"""The rules of elicitation and sampling."""

from pathlib import Path

import pytest

from inspector.protocol.messages import Json, JsonObject
from tests.lint.bench import Case, Step, check, want

CLIENT: JsonObject = {"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}}


def form(message: str = "Who?", **fields: Json) -> list[Step]:
    return [
        want(
            1,
            "elicitation/create",
            message=message,
            requestedSchema={"type": "object", "properties": fields},
        )
    ]


def url(address: str) -> list[Step]:
    return [want(1, "elicitation/create", mode="url", message="Go", url=address, elicitationId="1")]


def sample(*messages: Json, **more: Json) -> list[Step]:
    return [want(1, "sampling/createMessage", messages=list(messages), maxTokens=10, **more)]


def said(role: str, *blocks: Json) -> Json:
    return {"role": role, "content": list(blocks)}


NAME: Json = {"type": "string"}
TEXT: Json = {"type": "text", "text": "x"}
USE: Json = {"type": "tool_use", "id": "u", "name": "a", "input": {}}
USED: Json = {"type": "tool_result", "toolUseId": "u", "content": []}

CASES = (
    Case(
        "elic/schema-nested",
        "D",
        form(a={"type": "object", "properties": {}}),
        form(a=NAME),
        client=CLIENT,
    ),
    Case("elic/secret-field", "D", form(password=NAME), form(name=NAME), client=CLIENT),
    Case("elic/url-http", "D", url("http://a.example/"), url("http://localhost/"), client=CLIENT),
    Case(
        "elic/link-in-form", "D", form("See https://a.example/"), form("See below"), client=CLIENT
    ),
    Case(
        "elic/url-userinfo",
        "D",
        url("https://me@a.example/"),
        url("https://a.example/"),
        client=CLIENT,
    ),
    Case(
        "samp/tool-result-mixed",
        "D",
        sample(said("assistant", USE), said("user", USED, TEXT)),
        sample(said("assistant", USE), said("user", USED)),
        client=CLIENT,
    ),
    Case(
        "samp/tool-use-unbalanced",
        "D",
        sample(said("assistant", USE), said("user", TEXT)),
        sample(said("assistant", USE), said("user", USED)),
        client=CLIENT,
    ),
    Case(
        "samp/context-undeclared",
        "D",
        sample(includeContext="thisServer"),
        sample(includeContext="none"),
        client=CLIENT,
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
