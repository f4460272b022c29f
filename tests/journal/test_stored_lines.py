from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.stored_lines import LineFeed


def _fed(content: bytes, cuts: list[int]) -> Iterator[tuple[bytes, int]]:
    feed, start = LineFeed(), 0
    for cut in [*cuts, len(content)]:
        yield from feed.feed(content[start:cut], start)
        start = cut
    assert feed.waiting == len(content) - content.rfind(b"\n") - 1


@given(
    content=st.lists(st.sampled_from([b"a", b"bb", b"\n"]), max_size=60).map(b"".join),
    data=st.data(),
)
def test_any_blocks_give_the_same_lines_in_their_places(
    content: bytes, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=8)))
    whole = b""
    for lines, offset in _fed(content, cuts):
        assert offset == len(whole)
        assert lines.endswith(b"\n")
        whole += lines
    assert whole == content[: content.rfind(b"\n") + 1]


def test_a_line_that_never_ends_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.journal.stored_lines.LONGEST_LINE", 1000)
    feed = LineFeed()
    for at in range(100):
        assert list(feed.feed(b"x" * 100, at * 100)) == []
    assert feed.waiting == 10_000
    assert sum(map(len, feed._parts)) < 1000
    ((line, offset), (rest, after)) = feed.feed(b"y\nnext\n", 10_000)
    assert (offset, after, rest) == (0, 10_002, b"next\n")
    assert len(line) < 1000
