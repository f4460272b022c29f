"""Documents: lines, folding and search, checked against the plain text."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from inspector.render.jsonlines import JsonLines, TextLines
from inspector.tui.documents import (
    Document,
    HexDocument,
    JsonDocument,
    LinesDocument,
    RawDocument,
    TextDocument,
    hex_per_line,
)
from tests.scaled import scaled

BODY = json.dumps({"a": {"b": [1, 2, {"c": "needle"}]}, "d": {"e": 1, "f": 2}, "g": []}).encode()


def lines(document: Document) -> list[str]:
    return [document.line(number, 0, 200).plain for number in range(document.count())]


def test_json_is_indented_line_by_line() -> None:
    assert lines(JsonDocument(JsonLines(BODY))) == json.dumps(json.loads(BODY), indent=2).split(
        "\n"
    )


def test_a_block_folds_to_one_line_and_unfolds_again() -> None:
    document = JsonDocument(JsonLines(BODY))
    before = lines(document)
    assert document.fold(1) == 1
    folded = lines(document)
    assert folded[1].startswith('  "a": { … ')
    assert folded[2] == '  "d": {'
    assert document.fold(1) == 1
    assert lines(document) == before


def test_folding_inside_a_block_folds_the_block_around() -> None:
    document = JsonDocument(JsonLines(BODY))
    row = lines(document).index('    "f": 2')
    assert document.fold(row) == lines(document).index(
        next(x for x in lines(document) if '"d"' in x)
    )


def test_search_unfolds_what_hides_the_match() -> None:
    document = JsonDocument(JsonLines(BODY))
    assert document.fold_all()
    assert "needle" not in "\n".join(lines(document))
    found = document.find("needle", -1, 1)
    assert found is not None
    assert "needle" in lines(document)[found]


def test_search_goes_both_ways_and_ends() -> None:
    document = JsonDocument(JsonLines(BODY))
    first = document.find("1", -1, 1)
    assert first is not None
    second = document.find("1", first, 1)
    assert second is not None
    assert second > first
    assert document.find("1", second, -1) == first
    assert document.find("absent", -1, 1) is None


@settings(max_examples=scaled(60))
@given(
    st.recursive(
        st.integers() | st.text(max_size=5),
        lambda c: st.lists(c, max_size=4) | st.dictionaries(st.text(max_size=3), c, max_size=4),
        max_leaves=20,
    ),
    st.lists(st.integers(0, 40), max_size=6),
)
def test_any_folding_shows_lines_of_the_text_in_order(value: object, folds: list[int]) -> None:
    document = JsonDocument(JsonLines(json.dumps(value).encode()))
    whole = lines(document)
    for fold in folds:
        if fold < document.count():
            document.fold(fold)
    shown = [line.split(" … ")[0] for line in lines(document)]
    place = -1
    for line in shown:
        place = whole.index(line, place + 1)
    if document.count() != len(whole):
        document.fold_all()
        assert lines(document) == whole


def test_raw_pieces_put_together_are_the_text() -> None:
    text = "".join(chr(0x4E00 + n % 500) + "aé" for n in range(300))
    document = RawDocument(text.encode(), 37)
    assert "".join(lines(document)) == text
    assert all(cell_len(line) <= 40 for line in lines(document))


def test_raw_finds_across_its_lines_by_bytes() -> None:
    document = RawDocument(b"x" * 100 + b"NEEDLE" + b"x" * 100, 40)
    assert document.find("needle", -1, 1) == 2


def test_hex_shows_offset_bytes_and_ascii() -> None:
    document = HexDocument(bytes(range(40)), 16)
    assert document.count() == 3
    assert document.line(2, 0, 100).plain.startswith("00000020  20 21 22 23")
    assert hex_per_line(120) == 16
    assert hex_per_line(60) == 8


def test_text_keeps_its_own_lines() -> None:
    assert lines(LinesDocument(TextLines(b"<a>\n\x1b[31m\n"))) == ["<a>", "␛[31m"]
    document = TextDocument([Text("one"), Text("two")])
    assert document.find("TWO", -1, 1) == 1
    assert document.find("one", 0, 1) is None
