"""Tool uses and results in a sampling conversation (2025-11-25 client/sampling)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.messages import Json
from inspector.session.sampling import conversation_problems

TEXT: Json = {"type": "text", "text": "hi"}


def use(name: str) -> Json:
    return {"type": "tool_use", "id": name, "name": "t", "input": {}}


def answer(name: str) -> Json:
    return {"type": "tool_result", "toolUseId": name, "content": []}


def said(*messages: tuple[str, Json]) -> list[str]:
    return conversation_problems(
        {"messages": [{"role": role, "content": content} for role, content in messages]}
    )


def test_a_balanced_conversation_has_no_problems() -> None:
    assert said(("user", TEXT), ("assistant", TEXT)) == []
    assert (
        said(
            ("user", TEXT),
            ("assistant", [TEXT, use("a"), use("b")]),
            ("user", [answer("b"), answer("a")]),
            ("assistant", use("c")),
            ("user", answer("c")),
        )
        == []
    )


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ([("assistant", use("a")), ("user", [answer("a"), TEXT])], "mixes tool results"),
        ([("assistant", use("a")), ("user", TEXT)], "before the result of tool use 'a'"),
        ([("assistant", [use("a"), use("b")]), ("user", answer("a"))], "result of tool use 'b'"),
        ([("assistant", use("a"))], "tool use 'a' has no result"),
        ([("user", answer("x"))], "a result for 'x', which the message before"),
        ([("assistant", use("a")), ("assistant", answer("a"))], "is not the user's"),
        ([("user", use("a")), ("user", answer("a"))], "is not the assistant's"),
    ],
)
def test_what_is_out_of_balance_is_said(messages: list[tuple[str, Json]], problem: str) -> None:
    found = said(*messages)
    assert len(found) == 1
    assert problem in found[0]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.sampled_from(["user", "tool_use", "a"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["role", "content", "type", "id", "toolUseId"]), inner, max_size=4
            )
        ),
    )
)
def test_no_conversation_makes_it_raise(messages: Json) -> None:
    conversation_problems({"messages": messages})
