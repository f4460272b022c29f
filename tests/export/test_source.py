"""What belongs to an export."""

import pytest

from inspector.errors import UsageError
from inspector.export.source import Source, form_in, outcome_word, select
from inspector.journal.columns import Form
from inspector.journal.entries import Flag
from inspector.journal.query_nodes import FilterError
from tests.journal.conversation import Conversation, notification, request, result


def _talk() -> Conversation:
    talk = Conversation()
    for number in (1, 2):
        talk.sent(request(number, "tools/call", name=f"t{number}", _meta={"progressToken": number}))
        talk.received(notification("notifications/progress", progressToken=number, progress=1))
        talk.received(result(number, content=[], isError=number == 2))
    return talk


def test_without_a_filter_everything_is_chosen() -> None:
    assert list(select(_talk().journal, "  ")) == list(range(1, 8))


def test_a_filter_chooses_and_exchanges_bring_along_what_belongs_to_it() -> None:
    talk = _talk()
    assert list(select(talk.journal, "is:error")) == [7]
    assert list(select(talk.journal, "is:error", exchanges=True)) == [5, 6, 7]


def test_a_filter_on_findings_judges_first() -> None:
    talk = _talk()
    talk.received(result(99, content=[]))
    assert list(select(talk.journal, "rule:rpc/*")) == [8]


def test_a_filter_that_nothing_matches_is_told_apart_from_a_wrong_one() -> None:
    with pytest.raises(UsageError) as caught:
        select(_talk().journal, "name:nobody")
    assert caught.value.kind == "nothing"
    with pytest.raises(FilterError):
        select(_talk().journal, "kind:nonsense")


def test_entries_that_come_while_it_is_written_are_no_part_of_it() -> None:
    talk = _talk()
    source = Source(talk.journal, select(talk.journal, ""))
    talk.sent(request(3, "ping"))
    assert source.whole
    assert list(source.each()) == list(range(1, 8))
    assert 8 not in source
    assert b"ping" in source.body(8)


def test_the_ticker_hears_how_far_it_is_and_may_stop_it() -> None:
    talk = _talk()
    heard: list[tuple[int, int]] = []

    class Enough(Exception):
        pass

    def tick(done: int, total: int) -> None:
        heard.append((done, total))
        raise Enough

    source = Source(talk.journal, range(1, 8), tick=tick)
    with pytest.raises(Enough):
        list(source.each())
    assert heard == [(0, 7)]


def test_names_of_answers_are_those_of_their_requests() -> None:
    talk = _talk()
    source = Source(talk.journal, range(1, 8))
    assert [source.name(number) for number in (2, 4, 5, 7)] == ["t1", "t1", "t2", "t2"]


@pytest.mark.parametrize(
    ("body", "form"),
    [(b'{"a":1}', Form.JSON), (b"{\n}", Form.TEXT), (b"x", Form.TEXT), (b"\xff", Form.BASE64)],
)
def test_the_form_of_a_body(body: bytes, form: Form) -> None:
    assert form_in(body) is form


def test_an_outcome_in_a_word() -> None:
    talk = _talk()
    waiting = talk.sent(request(3, "ping"))
    given_up = talk.sent(request(4, "ping"))
    talk.journal.flag(given_up, Flag.TIMED_OUT)
    words = [outcome_word(talk.journal.row(n)) for n in (4, 7, waiting, given_up)]
    assert words == ["ok", "failed", "pending", "timed out"]
