"""Completions: what is asked and what is made of the answer."""

import pytest

from inspector.errors import RequestTimeout
from inspector.protocol.messages import Json
from inspector.protocol.versions import Revision
from inspector.session.completion import Completion, completion_params, read_completion
from inspector.session.pending import Failure, Lost, Success


def test_the_context_is_sent_only_since_it_exists() -> None:
    """2025-06-18 server/utilities/completion adds context.arguments."""
    ref: dict[str, Json] = {"type": "ref/resource", "uri": "x://{a}"}
    for revision in Revision:
        params = completion_params(ref, "a", "v", {"b": "1"}, revision)
        assert ("context" in params) is (revision >= Revision.V2025_06_18)
    assert "context" not in completion_params(ref, "a", "v", {}, Revision.V2025_11_25)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"completion": {"values": []}}, Completion()),
        ({"completion": {"values": ["a", 1]}}, Completion(("a",))),
        ({"completion": {"values": ["a"], "total": True, "hasMore": 1}}, Completion(("a",))),
        ({"completion": {}}, Completion(error="the answer has no completion.values")),
        ([], Completion(error="the answer has no completion.values")),
    ],
)
def test_answers_are_read_leniently(body: Json, found: Completion) -> None:
    assert read_completion(Success(body, b"", 1)) == found


def test_no_answer_is_an_error_in_words() -> None:
    assert read_completion(Failure(-1, "no", None, b"", 1)).error == "-1 no"
    assert read_completion(Lost(RequestTimeout("too late"))).error == "too late"
