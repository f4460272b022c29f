import pytest

from inspector.journal.query import FilterError, compile_filter
from inspector.journal.query_parse import DEPTH_LIMIT, LENGTH_LIMIT


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("kind:reqest", 5, "request"),
        ("is:lost", 3, "pending"),
        ("dir:up", 4, "in, out"),
        ("add |", 5, "missing"),
        ("| add", 0, "missing"),
        ("(add", 0, "not closed"),
        ("add)", 3, "closes nothing"),
        ("()", 1, "missing"),
        ("add -", 4, "right behind"),
        ("- add", 0, "right behind"),
        ('"add', 0, "not closed"),
        ('name:"add', 5, "not closed"),
        ("name:", 5, "wants a value"),
        ("ms>", 3, "wants a value"),
        ("ms>fast", 3, "no number"),
        ("size:10x", 5, "no number"),
        ("status:abc", 7, "whole number"),
        ("kind>request", 4, "goes with :"),
        ("after:noon", 6, "no time"),
        ("after:25:00", 6, "no time"),
        ("nme:add", 0, "unknown key"),
        ("/add", 0, "ends with /"),
        ("/a(/", 2, "regular expression"),
        ("/(a+)+/", 1, "forever"),
        ("$", 0, "looks like"),
        ("$.a=", 4, "wants a value"),
        ('$.a"b"', 3, "goes on with"),
        ("$.a[99999999999]", 3, "that long"),
        ("x" * (LENGTH_LIMIT + 1), LENGTH_LIMIT, "longer"),
        ("(" * (DEPTH_LIMIT + 1), DEPTH_LIMIT, "deeper"),
    ],
)
def test_a_wrong_filter_says_where_and_why(text: str, column: int, says: str) -> None:
    with pytest.raises(FilterError) as raised:
        compile_filter(text)
    assert raised.value.column == column
    assert says in raised.value.message


@pytest.mark.parametrize("text", ["Note:this", "http://x/y", "a=b", "é", '""', "a:", "x>1"])
def test_words_may_look_a_little_like_keys(text: str) -> None:
    compile_filter(text)
