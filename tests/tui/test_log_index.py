"""Which entries the Logs tab lists."""

from inspector.past.journal import JournalAsOf
from inspector.session.logs import LEVELS
from inspector.tui.log_index import LogIndex
from tests.journal.conversation import Conversation, notification


def _log(talk: Conversation, level: str, words: str) -> int:
    return talk.received(notification("notifications/message", level=level, data=words))


def _talk() -> tuple[Conversation, LogIndex, list[int]]:
    talk = Conversation()
    numbers = [
        _log(talk, "debug", "one"),
        talk.received(notification("notifications/progress", progressToken=1, progress=1)),
        _log(talk, "error", "two WORDS"),
        talk.journal.stderr(b"from the process", connection=talk.connection),
        _log(talk, "loud", "no such level"),
    ]
    return talk, LogIndex(talk.journal), numbers


def test_log_notifications_and_stderr_are_listed_and_nothing_else() -> None:
    _, index, (debug, _, error, stderr, unknown) = _talk()
    assert index.catch_up()
    assert list(index.shown) == [debug, error, stderr, unknown]
    assert [index.level(number) for number in index.shown] == ["debug", "error", "stderr", "?"]


def test_a_level_hides_what_is_below_it_but_never_an_unknown_level() -> None:
    _, index, (_, _, error, stderr, unknown) = _talk()
    index.choose(least=LEVELS.index("warning"))
    index.catch_up()
    assert list(index.shown) == [error, stderr, unknown]
    index.choose(with_stderr=False)
    assert list(index.shown) == [error, unknown]
    assert index.total == 4


def test_all_words_must_be_in_the_line_whatever_their_case() -> None:
    _, index, (_, _, error, _, _) = _talk()
    index.catch_up()
    index.choose(words="words TWO")
    assert list(index.shown) == [error]
    index.choose(words="words three")
    assert not index.shown


def test_a_flood_is_taken_in_slices() -> None:
    talk = Conversation()
    for number in range(30):
        _log(talk, "info", f"line {number}")
    index = LogIndex(talk.journal)
    lengths = []
    for _ in range(5):
        index.catch_up(limit=10)
        lengths.append((len(index.shown), index.behind))
    assert lengths[0][1]
    assert lengths[-1] == (30, False)
    assert lengths[0][0] < 30


def test_an_earlier_end_shows_fewer_lines_and_a_later_one_all_again() -> None:
    talk, index, (debug, _, error, stderr, unknown) = _talk()
    index.catch_up()
    assert index.look_at(JournalAsOf(talk.journal, error))
    assert list(index.shown) == [debug, error]
    assert index.total == 2
    assert not index.look_at(talk.journal)
    assert index.catch_up()
    assert list(index.shown) == [debug, error, stderr, unknown]
