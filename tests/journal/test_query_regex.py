import re
from itertools import pairwise

import pytest

from inspector.journal import query_regex
from inspector.journal.query import FilterError, compile_filter
from tests.journal.conversation import Conversation, request, result


@pytest.mark.parametrize(
    "source",
    [
        "(a+)+",
        "((a+))+b",
        "(a*)*",
        "(?:a?){30}a",
        "(a|a)*b",
        "(a|ab)+c",
        "(.*a){20}",
        "(x+x+)+y",
        "(?:\\d|1)+$",
        "((ab)?c)*",
        "(a*)(\\1)+",
        "(?P<n>a*)(?P=n)+",
        "(?:(?=.*x)a)*",
        "a?" * 20,
        "(a?b?c?d?e?f?){0,1}" + "g?" * 12,
        "[a-z]{1,99}[a-z]{1,99}[a-z]{1,99}!",
    ],
)
def test_what_may_take_forever_is_refused(source: str) -> None:
    with pytest.raises(FilterError, match="forever") as raised:
        compile_filter(f"/{source}/")
    assert 1 <= raised.value.column <= len(source)


@pytest.mark.parametrize(
    "source",
    [
        "a+b+", "(ab)+", "(foo|bar)+", "[+*]+", "\\(a+\\)+", "(?i)abc", "(?:a{3})+", "a{2,5}?b",
        "x{", "(a|b|)", "(?<!x)y", "(?P<n>a)(?P=n)", "(?#a+)b", "[]a+]*", "a++b", "(?>a+)b",
        "[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}", "https?:", "a{5000}",
    ],
)  # fmt: skip
def test_what_is_no_danger_is_taken(source: str) -> None:
    compile_filter(f"/{source}/")


@pytest.mark.parametrize(
    ("text", "column"),
    [("/a(/", 2), ("/(?L)a/", 4), ("/a{99999999999}/", 1), ("add /a\\/b[/", 9), ("/(?x)a b/", 1)],
)
def test_what_is_no_expression_says_where(text: str, column: int) -> None:
    with pytest.raises(FilterError) as raised:
        compile_filter(text)
    assert raised.value.column == column


@pytest.mark.parametrize(
    ("source", "needle"),
    [
        ("abc", b"abc"),
        ("ab+cde", b"bcde"),
        ("ab*cd", b"cd"),
        ("a?", b""),
        ("abc|abd", b""),
        ("(abc)d", b"d"),
        ("x(a|b)handled", b"handled"),
        ("tools/calls?", b"tools"),
        ("a\\.b", b"a.b"),
        ("[abc]de", b"de"),
        ("\\d\\d:", b":"),
        ("^Listening", b"Listening"),
        ("ab{0}c", b"a"),
        ("ab{2}cd", b"bcd"),
        ("\\x41bc", b"bc"),
        ("\\0abc", b"abc"),
    ],
)
def test_what_an_expression_cannot_do_without_is_looked_for(source: str, needle: bytes) -> None:
    pattern = query_regex.Pattern(source, ignore_case=False, column=0)
    assert pattern._needle == needle


def test_letters_beyond_ascii_are_letters() -> None:
    talk = Conversation()
    number = talk.sent(request(1, name="Ärger"))
    for source in ("/ärger/i", "/\\wrger/", "/[äÄ]rger/", "/\\u00c4rger/"):
        assert list(compile_filter(source).select(talk.journal, 1, 3)) == [number], source
    assert not compile_filter("/ärger/").select(talk.journal, 1, 3)


def test_the_ends_of_a_name_are_ends() -> None:
    talk = Conversation()
    talk.sent(request(1, name="add"))
    talk.received(result(1))
    talk.sent(request(2, name="adder"))
    listening = talk.journal.stderr(b"Listening on 80", connection=1)
    assert list(compile_filter("/^add$/").select(talk.journal, 1, 6)) == [2, 3]
    assert list(compile_filter("/^[aA]d.$/").select(talk.journal, 1, 6)) == [2, 3]
    assert list(compile_filter("/^listening/i").select(talk.journal, 1, 6)) == [listening]


def test_a_body_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []

    class Slow:
        def search(self, text: str, start: int = 0, stop: int | None = None) -> None:
            searched.append(len(text) if stop is None else stop)

    pattern = query_regex.Pattern("a.*b.*c.*d", ignore_case=False, column=0)
    monkeypatch.setattr(pattern, "_raw", Slow())
    clock = iter([0.0, 0.001, 0.001, 0.003, 0.003, 0.5])
    monkeypatch.setattr(query_regex, "thread_time", lambda: next(clock))
    talk = Conversation()
    number = talk.sent(b'{"method":"x","a":"' + b"a" * 10_000)
    assert not pattern.test(talk.journal, number)
    assert searched[0] == 64
    assert len(searched) == 3
    assert all(one < other <= 2 * one for one, other in pairwise(searched))
    assert pattern.given_up == 1


def test_only_the_beginning_of_a_long_body_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_regex, "SEARCHED", 100)
    talk = Conversation()
    number = talk.sent(b'{"method":"x","a":"' + b"." * 200 + b'needle"}')
    assert not compile_filter("/needle/").matches(talk.journal, number)
    assert compile_filter("needle").matches(talk.journal, number)


def test_a_filter_tells_what_it_gave_up() -> None:
    found = compile_filter("/a/ | -/b/")
    assert found.given_up == 0
    found._patterns[1].given_up = 3
    assert found.given_up == 3


@pytest.mark.parametrize(
    "source",
    [
        "[a-z]+[@!]",
        "[a-z]+[0-9a-z]+[a-z]+[@!]",
        "a.*b.*a.*b.*[@!]",
        "\\w*\\w*\\w*\\w*\\w*\\w*!",
        "(a|b)+[@!]",
        "a?a?a?a?a?a?a?a?a?a?a?a?[@!]",
        "(?:ab){1,5000}[@!]",
        "[a-z]{1,99}[a-z]{1,99}[@!]",
    ],
)
def test_what_grows_with_a_power_of_the_length_is_given_up_early(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pattern = query_regex.Pattern(source, ignore_case=False, column=0)
    steps: list[int] = []
    search = re.compile(source.encode()).search

    class Counting:
        def search(self, text: bytes, start: int = 0, stop: int = 1 << 30) -> object:
            steps.append(min(stop, len(text)))
            return search(text, start, min(stop, 512))  # the time of the first parts is enough

    monkeypatch.setattr(pattern, "_raw", Counting())
    clock = iter(range(1_000_000))
    monkeypatch.setattr(query_regex, "thread_time", lambda: next(clock))
    talk = Conversation()
    number = talk.sent(b'{"method":"x","a":"' + b"ab" * 100_000)
    pattern.test(talk.journal, number)
    assert len(steps) == 1
    assert steps[0] <= 2048
