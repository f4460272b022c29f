from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal import query
from inspector.journal.entries import Flag, HttpFacts
from inspector.journal.journal import Journal
from inspector.journal.query import FilterError, compile_filter, help_rows, slice_end
from inspector.journal.query_nodes import Reads
from inspector.lint.judge import Judge
from tests.journal.conversation import Conversation, error, notification, request, result


def _sample() -> Conversation:
    talk = Conversation()  # 1
    talk.sent(request(1, "initialize", clientInfo={"name": "me"}))  # 2
    talk.pass_time(0.010)
    talk.received(result(1, serverInfo={"name": "Everything"}))  # 3
    talk.sent(request(7, name="add", arguments={"a": 2, "b": [1, {"c": "Ärger"}]}))  # 4
    talk.pass_time(0.600)
    talk.received(result(7, content=[{"type": "text", "text": 'say "hi"'}]))  # 5
    talk.sent(request("7", "tools/list"))  # 6
    talk.received(error("7"))  # 7
    talk.received(notification("notifications/message", level="info", data="x" * 3000))  # 8
    talk.received(b"DEBUG junk \xff")  # 9
    talk.received(b'print("Hello")')  # 10
    talk.journal.stderr(b"Listening on port 80", connection=1)  # 11
    asked = talk.sent(request(9, "resources/read", uri="file:///etc/hosts"))  # 12
    talk.journal.http(HttpFacts("POST", "http://x/mcp", status=401), connection=1, frame=asked)
    talk.journal.flag(4, Flag.MARKED)
    talk.journal.note(4, "look")  # 14
    talk.received([result(9), result(99)])  # 15
    return talk


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", range(1, 16)),
        ("   ", range(1, 16)),
        ("add", (4, 5)),
        ("ADD", (4, 5)),
        ("tools/call", (4, 5)),
        ("everything", (3,)),
        ("ärger", (4,)),
        ("Ärger", (4,)),
        ('"say \\"hi\\""', (5,)),
        ('"(\\"hello\\")"', (10,)),
        ("junk", (9,)),
        ("listening", (11,)),
        ("file:///etc", (12,)),
        ("hosts | junk", (9, 12)),
        ("method:tools/*", (4, 5, 6, 7)),
        ("method:tools", (4, 5, 6, 7)),
        ("method:TOOLS/LIST", (6, 7)),
        ("method:notifications/*", (8,)),
        ("name:add", (4, 5)),
        ("name:ad", ()),
        ("name:a*", (4, 5)),
        ("name:file:*", (12,)),
        ("dir:out", (2, 4, 6, 12, 13)),
        ("dir:local", (1, 14)),
        ("kind:request", (2, 4, 6, 12)),
        ("kind:response", (3, 5, 7)),
        ("kind:malformed", (9, 10)),
        ("kind:stderr | kind:event", (1, 11)),
        ("kind:batch", (15,)),
        ("id:7", (4, 5, 6, 7)),
        ('id:"7"', (4, 5, 6, 7)),
        ("id:99", (15,)),
        ("is:error", (7,)),
        ("is:marked", (4,)),
        ("is:orphan", (15,)),
        ("is:pending", ()),
        ("status:401", (12, 13)),
        ("status:4xx", (12, 13)),
        ("status>=500", ()),
        ("ms>500", (5,)),
        ("ms<=11", (3, 7, 15)),
        ("size>2k", (8,)),
        ("size>0.002M", (8,)),
        ("n>12", (13, 14, 15)),
        ("n:4", (4,)),
        ("conn:2", ()),
        ("after:#13", (14, 15)),
        ("before:#2", (1,)),
        ("after:08:00:00.5Z", tuple(range(5, 16))),
        ("before:2027-01-15T08:00:00.005Z", (1, 2)),
        ("before:2027-01-15T09:00:00.005+01:00", (1, 2)),
        ("$.params.arguments.a=2", (4,)),
        ("$.params.arguments.a=3", ()),
        ("$.params.arguments.a>1", (4,)),
        ("$.params.arguments.a!=3", (4,)),
        ("$.params.arguments.b[1].c=Ärger", (4,)),
        ("$.params.arguments.b[*].c~rger", (4,)),
        ('$["params"]["name"]=add', (4,)),
        ("$.result.content[*].text", (5,)),
        ("$[0].id", (15,)),
        ("$.id=7", (4, 5, 6, 7)),
        ("/Every.hing/", (3,)),
        ("/every.hing/", ()),
        ("/every.hing/i", (3,)),
        ("/tools\\/(call|list)/", (4, 5, 6, 7)),
        ("-dir:in -dir:local", (2, 4, 6, 12, 13)),
        ("-(dir:in | dir:local)", (2, 4, 6, 12, 13)),
        ("--dir:local", (1, 14)),
        ("dir:in -kind:result", (7, 8, 9, 10, 11, 15)),
        ("dir:in (kind:result | is:error)", (3, 5, 7)),
        ("add -kind:result", (4,)),
        ("kind:request id:7 method:tools/list", (6,)),
        ("a-b", ()),
        ("http://x", (13,)),
    ],
)
def test_a_filter_finds(text: str, numbers: tuple[int, ...]) -> None:
    journal = _sample().journal
    found = compile_filter(text)
    each = [n for n in range(1, len(journal) + 1) if found.matches(journal, n)]
    assert each == list(numbers)
    assert list(found.select(journal, 1, len(journal) + 1)) == each
    assert [n for part in found.scan(journal) for n in part] == each


def test_searching_in_small_slices_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = _sample().journal
    for text in ("add", "tools", "is:error | everything", "name:add", "-add"):
        found = compile_filter(text)
        whole = list(found.select(journal, 1, len(journal) + 1))
        for size in (1, 2, 5):
            monkeypatch.setattr(query, "SLICE_ENTRIES", size)
            assert [n for part in found.scan(journal) for n in part] == whole
        monkeypatch.undo()


def _everything() -> Journal:
    """All kinds of entries and all forms in which they stand in the file."""
    talk = _sample()
    talk.sent(b'{"id":20,"method":"tools/call","params":{"name":"\\u0061dd","a":"\\u00c4RGER"}}')
    talk.received(b'{\n  "id": 20,\n  "result": {"isError": true, "a": "needle"}\n}')
    talk.sent(request("ä7", "prompts/get", name="\u212aey İstanbul"))
    talk.received(result("ä7"))
    talk.sent(b'{"id":21,"method":"add/it","params":{"uri":"https:\\/\\/x\\/add"}}')
    talk.received(b'{"id":21.0,"error":{"code":-1,"message":"no add"}}')
    talk.received(b"\xff\xfe add needle")
    talk.received('no json: "add"\tÄrger \\u0061'.encode())
    talk.sent([request(30, name="add"), notification("notifications/cancelled", requestId=4)])
    talk.received([result(30), error(31)])
    talk.received(notification("notifications/progress", progress=1e3, total=7, message="add"))
    talk.received(notification("notifications/message", level="error", logger="add", data=7))
    talk.journal.stderr(b"\x1b[31madd \xff", connection=1)
    talk.journal.note(3, "Ärger with add")
    asked = talk.sent(request(-7, name="x" * 70_000 + "add"))
    http = talk.journal.http(HttpFacts("POST", "http://add/7", status=200), connection=1,
                             frame=asked)  # fmt: skip
    talk.received(result(-7, text="y" * 100_000 + "needle"), http=http)
    talk.journal.begin_connection({"transport": "add"})
    talk.connection = 2
    talk.sent(request(7, name="Add"))
    talk.pass_time(2)
    talk.received(error(7))
    talk.received(result(7))
    Judge(talk.journal).finish()
    return talk.journal


_parts = st.sampled_from(
    [
        "add", "needle", "Ärger", "É", "7", '"\\"add"', '"\\\\u0061"', "request", "text:add",
        "text:7", "text:in|out", "is:error", "is:pending|late|duplicate", "is:unanswered",
        "is:noted", "is:lint", "rule:rpc/*", "rule:*", "kind:result",
        "kind:stderr|http|event|note", "dir:in", "method:tools", "method:*/call", "name:add",
        "name:*d*", "name:key*", "name:*", "name:[ax]*", "name:*/7*", 'name:"error add"', "id:7",
        "id:-7|ä7", "id:21|30", "id:20", "size>90", "size:0..60", "ms>5", "ms:0..700",
        "status:200", "status>=400", "conn:2", "conn>=1", "n:3..9", "n>=17", "after:08:00:01Z",
        "before:08:00:00.5Z", "after:#12", "/a/", "/^add$/", "/add/i", "/A[d]d$/", "/[0-9]{3}/",
        "/x\\/add|needle/", "/tools.(call|list)/", "/\\W7\\W/", "$.id", "$.id=7|20",
        "$.params.name=add", "$.params.name~KEY", "$.result.isError=true", "$.*.message~add",
        "$[0].id!=9", "$.params.a=ÄRGER", "$.error.code<0",
    ]
)  # fmt: skip
_filters = st.recursive(
    _parts,
    lambda inner: st.one_of(
        inner.map(lambda part: f"-({part})"),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"({' '.join(parts)})"),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"({' | '.join(parts)})"),
    ),
    max_leaves=8,
)
_JOURNAL = _everything()
_COUNT = len(_JOURNAL)


@given(_filters, st.integers(1, _COUNT), st.integers(1, _COUNT + 1))
def test_one_by_one_and_all_at_once_agree(text: str, start: int, stop: int) -> None:
    found = compile_filter(text)
    each = [n for n in range(1, _COUNT + 1) if found.matches(_JOURNAL, n)]
    assert list(found.select(_JOURNAL, 1, _COUNT + 1)) == each
    assert list(found.select(_JOURNAL, start, stop)) == [n for n in each if start <= n < stop]


def test_the_parts_of_that_test_each_find_something_and_not_all() -> None:
    parts = ("add", "needle", "name:add", "name:*/7*", "name:key*", "id:20", "is:lint", "/^add$/")
    for text in parts:
        found = compile_filter(text).select(_JOURNAL, 1, _COUNT + 1)
        assert 0 < len(found) < _COUNT, text


_odd_texts = (
    st.text(max_size=40)
    | st.text(alphabet='a:-()|"/$.[]=<>* \\', max_size=20)
    | st.builds(
        "".join,
        st.lists(
            st.sampled_from(
                ["is:", "after:", "status", ">=", "9", "..", "|", "/", "(?", "L)", "[", "x", "{9,}",
                 "+", "\\", "\\u00e4", "$.a", "~", "4xx", '"', "#", "T", "-", " ", "0001-01-01",
                 "+23:59", "\ud800", "ms:", "id:", "name:", "text:", "rule:"]
            ),
            max_size=8,
        ),
    )
)  # fmt: skip


@given(_odd_texts)
def test_any_text_is_a_filter_or_says_where_it_is_wrong(text: str) -> None:
    column = 0
    try:
        found = compile_filter(text)
    except FilterError as wrong:
        column = wrong.column
    else:
        found.select(_JOURNAL, 1, _COUNT + 1)
    assert 0 <= column <= len(text)


def test_column_filters_read_no_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    journal = _sample().journal
    monkeypatch.setattr(journal.file, "read", None)
    for text in ("kind:request", "method:tools/* is:error", "ms>5 | size>1k", "-dir:in status:4xx"):
        found = compile_filter(text)
        assert not found.reads_bodies
        list(found.select(journal, 1, len(journal) + 1))


def test_columns_decide_first_and_words_read_the_file_in_slices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    talk = Conversation()
    for number in range(2_000):
        talk.received(notification("x", data=f"word{number}"))
    journal, reads = talk.journal, list[int]()
    read: Callable[[int, int], bytes] = journal.file.read

    def counted(offset: int, length: int) -> bytes:
        reads.append(length)
        return read(offset, length)

    monkeypatch.setattr(journal.file, "read", counted)
    assert list(compile_filter("word1234").select(journal, 1, 2_002)) == [1236]
    assert len(reads) < 10
    reads.clear()
    assert not compile_filter("kind:request word1234").select(journal, 1, 2_002)
    assert reads == []


def test_a_slice_reads_at_most_eight_megabytes_and_lies_between_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    talk = Conversation()
    for _ in range(24):
        talk.received(notification("x", data="z" * 1_000_000))
    for number in range(20_000):
        talk.received(notification("x", data=f"word{number}" * 10))
    journal, reads = talk.journal, list[int]()
    read: Callable[[int, int], bytes] = journal.file.read

    def counted(offset: int, length: int) -> bytes:
        reads.append(length)
        return read(offset, length)

    monkeypatch.setattr(journal.file, "read", counted)
    turns = 0
    for _ in compile_filter("nowhere").scan(journal):
        assert sum(reads) <= 8 * 1024 * 1024 + 512
        reads.clear()
        turns += 1
    assert turns >= 4


def test_a_slice_ends_where_the_next_body_would_be_too_much() -> None:
    talk = Conversation()
    for size in (9_000_000, 10, 5_000_000, 5_000_000, 10):
        talk.received(notification("x", data="z" * size))
    journal, ends = talk.journal, [1]
    while ends[-1] <= len(journal):
        ends.append(slice_end(journal, ends[-1]))
    assert ends == [1, 2, 3, 5, 7]
    assert slice_end(journal, 1, bodies=False) == 7


def test_a_filter_can_be_used_on_more_than_one_journal() -> None:
    found = compile_filter("method:tools/list")
    one, other = _sample().journal, Conversation()
    other.sent(request(1, "tools/list"))
    assert found.matches(one, 6)
    assert found.matches(other.journal, 2)
    assert not found.matches(one, 2)


def test_a_filter_asks_for_no_entries_beyond_the_end() -> None:
    journal = Journal()
    for text in ("", "x", "is:error", "-is:error"):
        assert not compile_filter(text).select(journal, 1, 100)


def test_the_words_to_highlight_are_those_looked_for() -> None:
    assert compile_filter("add -not (kind:request | Other)").words == ("add", "Other")


def test_every_example_of_the_help_is_a_filter() -> None:
    for example, meaning in help_rows():
        compile_filter(example)
        assert meaning
    text = compile_filter("").help()
    assert "size>10k" in text
    assert max(len(line) for line in text.split("\n")) <= 70
    assert " ".join(text.split()).count("unanswered") == 1


_UX = [
    ("method:tools/*", (4, 5, 6, 7)),
    ("name:add", (4, 5)),
    ("dir:in|out", tuple(n for n in range(2, 16) if n != 14)),
    ("kind:request|result|error|notification|malformed|stderr|http|event",
     tuple(n for n in range(1, 14))),
    ("id:7", (4, 5, 6, 7)),
    ("is:pending|late|orphan|error|marked|lint|duplicate", (4, 7, 15)),
    ("status:401", (12, 13)),
    ("ms>500", (5,)),
    ("size>10k", ()),
    ("size>3k", (8,)),
    ("rule:rpc/*", ()),
    ("after:12:01Z", ()),
    ("after:07:59Z", tuple(range(1, 16))),
    ("$.params.arguments.a=2", (4,)),
    ('name:"add"|"sub" dir:"out"', (4,)),
    ("dir:in|out -kind:result|error", (2, 4, 6, 8, 9, 10, 11, 12, 13, 15)),
    ("is:error|is:marked", (4, 7)),
    ("is:error| marked", (7,)),
    ("is:error |-dir:in|out", (1, 7, 14)),
    ("id:9|$.params.level", (8, 12, 15)),
    ("id:9|/junk/", (9, 12, 15)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "numbers"), _UX)
def test_what_users_are_told_they_can_write_means_what_it_says(
    text: str, numbers: tuple[int, ...]
) -> None:
    journal = _sample().journal
    assert tuple(compile_filter(text).select(journal, 1, len(journal) + 1)) == numbers


def test_what_may_change_later_is_told() -> None:
    told = {
        "is:error": Reads.FLAGS,
        "is:noted": Reads.FOLLOWERS,
        "status:401 add": Reads.FOLLOWERS,
        "-is:lint": Reads.FINDINGS,
        "add method:x ms>5 $.id": Reads.NOTHING_ELSE,
    }
    for text, reads in told.items():
        assert compile_filter(text).reads == reads


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("dir:in is:eror", "column 11 of the filter, at 'eror'"),
        ("add |", "the end of the filter"),
        ("ms>", "the end of the filter"),
    ],
)
def test_where_a_filter_is_wrong_is_told_in_words_too(text: str, hint: str) -> None:
    with pytest.raises(FilterError) as raised:
        compile_filter(text)
    assert raised.value.hint == hint
