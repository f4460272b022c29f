"""What is read out of bodies; what is not as it should be reads as empty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.timeline_readings import (
    asks_or_goes_on,
    cursor_asked,
    described,
    id_of,
    items_of,
    member,
    page_of,
    progress_said,
    questions,
    roots_in,
    salvaged_page,
    supported,
)
from inspector.journal.timeline_values import ListAt, ProgressAt
from tests.journal.conversation import Conversation, notification, request


@given(body=st.one_of(st.binary(), st.sampled_from([b"[1]", b'{"result":7}', b'{"params":[]}'])))
def test_reading_any_bytes_never_raises(body: bytes) -> None:
    assert member(body, "params") == {}
    assert asks_or_goes_on(body) == ""
    assert cursor_asked(body) is None
    assert page_of("tools", body, modern=False).problem
    assert salvaged_page("tools", body).problem


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b'{"result":{"resultType":"input_required","x":[1,{}]}}', "input_required"),
        (b'{"result":{"resultType":"task","taskId":"t"}}', "task"),
        (b'{"result":{"task":{"taskId":"t"}}}', "task"),
        (b'{"result":{"resultType":"complete","task":7}}', ""),
        (b'{"result":{"content":[]}}', ""),
    ],
)
def test_a_result_that_is_not_the_last_word_is_told_apart(body: bytes, what: str) -> None:
    assert asks_or_goes_on(body) == what


def test_an_empty_cursor_ends_a_list_before_the_modern_era_only() -> None:
    body = b'{"result":{"tools":[],"nextCursor":""}}'
    assert page_of("tools", body, modern=False).cursor is None
    assert page_of("tools", body, modern=True).cursor == b'""'


def test_a_cursor_is_kept_as_its_exact_text() -> None:
    assert cursor_asked(b'{"params":{"cursor": 1.10 }}') == b"1.10"
    assert cursor_asked(b'{"params":{"cursor":null}}') is None


def test_items_come_with_their_exact_text_also_out_of_an_answer_that_is_no_message() -> None:
    talk = Conversation()
    whole = talk.received(b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"n":1.10}]}}')
    deep = b"[" * 3000 + b"]" * 3000
    torn = talk.received(b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"n":2},' + deep + b"]}}")
    items = items_of(talk.journal, ListAt("tools", "ready", (whole, torn)))
    assert [text for _, text in items[:2]] == [b'{"n":1.10}', b'{"n":2}']
    assert [value for value, _ in items] == [{"n": 1.1}, {"n": 2}, None]


def test_a_task_needs_an_id_and_a_status() -> None:
    assert described({"taskId": "t"}) is None
    assert described({"taskId": 1, "status": "working"}) is None
    said = described({"taskId": "t", "status": "input_required", "inputRequests": {"k": {}}})
    assert said is not None
    assert said.asked == (("k", ""),)


def test_questions_are_keys_and_methods() -> None:
    assert questions({"k": {"method": "roots/list"}, "l": 3}) == (("k", "roots/list"), ("l", ""))
    assert questions([1]) == ()


def test_roots_are_the_objects_of_an_answer() -> None:
    assert roots_in({"roots": [{"uri": "file:///a"}, 7]}) == ({"uri": "file:///a"},)
    assert roots_in({"roots": "x"}) is None


def test_revisions_are_named_by_errors_and_by_discovery() -> None:
    assert supported({"supported": ["a", 1]}) == ["a"]
    assert supported({"supportedVersions": ["b"]}) == ["b"]
    assert supported(None) == []


def test_ids_and_progress_are_read_when_somebody_looks() -> None:
    talk = Conversation()
    asked = talk.sent(request("one"))
    said = talk.received(
        notification("notifications/progress", progressToken=1, progress=2, message="half")
    )
    assert id_of(talk.journal, asked) == "one"
    assert progress_said(talk.journal, ProgressAt(said, 1)) == (2.0, None, "half")
