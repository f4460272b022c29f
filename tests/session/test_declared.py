"""Which questions a client that declared this or that may be asked."""

import pytest

from inspector.protocol.messages import JsonObject
from inspector.protocol.versions import Revision
from inspector.session.declared import Unasked, ask_kind

NEW = Revision.V2025_11_25
ALL: JsonObject = {"roots": {}, "sampling": {}, "elicitation": {"form": {}, "url": {}}}


@pytest.mark.parametrize(
    ("method", "params", "kind"),
    [
        ("roots/list", {}, "roots"),
        ("sampling/createMessage", {}, "sampling"),
        ("elicitation/create", {}, "elicitation"),
        ("elicitation/create", {"mode": "form"}, "elicitation"),
        ("elicitation/create", {"mode": "url"}, "elicitation-url"),
    ],
)
def test_what_was_declared_may_be_asked(method: str, params: JsonObject, kind: str) -> None:
    assert ask_kind(method, params, ALL, NEW) == kind


@pytest.mark.parametrize(
    ("method", "params", "declared", "code"),
    [
        ("roots/list", {}, {}, -32601),
        ("sampling/createMessage", {}, {"sampling": False}, -32601),
        ("sampling/createMessage", {"tools": []}, {"sampling": {}}, -32602),
        ("elicitation/create", {"mode": "url"}, {"elicitation": {}}, -32602),
        ("elicitation/create", {}, {"elicitation": {"url": {}}}, -32602),
        ("elicitation/create", {"mode": "mind"}, ALL, -32602),
        ("tools/list", {}, ALL, -32601),
    ],
)
def test_what_was_not_declared_is_refused_with_a_code(
    method: str, params: JsonObject, declared: JsonObject, code: int
) -> None:
    refused = ask_kind(method, params, declared, NEW)
    assert isinstance(refused, Unasked)
    assert refused.code == code
    assert refused.why


def test_an_empty_elicitation_capability_means_forms() -> None:
    """2025-11-25 client/elicitation, backwards compatibility."""
    assert ask_kind("elicitation/create", {}, {"elicitation": {}}, NEW) == "elicitation"
