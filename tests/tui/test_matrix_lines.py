"""What a row of the era matrix says, and what is told of one run."""

import json

from inspector.era_compare import Asked, Comparison, Run, compare
from inspector.era_matrix import same_for_all
from inspector.errors import ConnectionFailed
from inspector.protocol.messages import Json
from inspector.protocol.versions import Era, Revision
from inspector.session.asks import HEADLESS, Policy
from inspector.session.pending import Failure, Success
from inspector.tui.screens.matrix_lines import (
    HEAD,
    about_lines,
    detail_lines,
    row_line,
    rows_of,
)

OLD, NEWER, NEW = Revision.V2024_11_05, Revision.V2025_11_25, Revision.V2026_07_28
ASKED = Asked("elicitation/create", "Sure \x1b[2J?", "request", {"action": "accept"}, "by policy")


def success(result: Json) -> Success:
    return Success(result, json.dumps(result).encode(), 1)


BROKEN = Run(NEW, "done", outcome=success({"isError": True, "content": []}), seconds=0.0066)
FINE = Run(
    NEWER,
    "done",
    outcome=success({"content": [{"type": "text", "text": "x: accept"}]}),
    asked=(ASKED,),
    seconds=0.01,
    progress=2,
    connection=3,
    entry=7,
    first=4,
    last=9,
    entries=5,
    why="agreed",
)
REFUSED = Run(OLD, "refused", why="it speaks another", error=ConnectionFailed("it speaks another"))
ALL = (REFUSED, FINE, BROKEN)


def line(run: Run, comparison: Comparison | None = None, width: int = 78) -> str:
    return row_line(run, compare(ALL) if comparison is None else comparison, width).plain


def told(run: Run) -> str:
    return "\n".join(one.plain for one in detail_lines(run, compare(ALL)))


def test_runs_stand_below_their_era() -> None:
    assert rows_of(ALL) == [Era.HANDSHAKE, REFUSED, FINE, Era.MODERN, BROKEN]
    assert row_line(Era.MODERN, Comparison(), 78).plain == "  modern era"


def test_what_differs_is_marked_by_signs_and_not_by_colour_alone() -> None:
    assert line(BROKEN).split() == [
        "=",
        "A",
        "2026-07-28",
        "✗",
        "isError",
        "–",
        "7",
        "ms",
        "–",
        "–",
    ]
    assert line(FINE).split() == [
        *("≠", "B", "2025-11-25", "≠", "✓", "result", "≠", "1", "by", "request"),
        *("10", "ms", "2", "–"),
    ]
    assert line(REFUSED).split() == ["2024-11-05", "–", "refused", "–", "–"]


def test_only_the_cell_that_differs_is_marked() -> None:
    other = Run(OLD, "done", outcome=BROKEN.outcome, asked=(ASKED,))
    cells = line(other, compare([other, BROKEN])).split()
    assert cells[:8] == ["≠", "B", "2024-11-05", "✗", "isError", "≠", "1", "by"]


def test_every_row_fits_80_columns_and_stands_below_its_heading() -> None:
    for run in (
        *ALL,
        Run(OLD, "calling"),
        Run(OLD, "done", outcome=Failure(-32602, "x" * 99, None, b"{}", 1)),
    ):
        text = row_line(run, compare(ALL), 75)
        assert text.cell_len <= 75
        assert text.plain.index(run.revision.value) == HEAD.index("revision")
    assert len(HEAD) <= 75


def test_a_run_under_way_is_marked() -> None:
    assert line(Run(OLD, "calling")).split() == ["▸", "2024-11-05", "calling"]
    assert line(Run(OLD)).split() == ["2024-11-05", "…"]


def test_a_wide_screen_has_room_for_what_was_said() -> None:
    assert line(FINE, width=120).endswith("x: accept")
    assert "\n" not in line(Run(OLD, "done", outcome=Failure(1, "a\nb", None, b"{}", 1)), width=120)


def test_the_detail_names_the_differences_and_what_was_asked_and_answered() -> None:
    text = told(FINE)
    assert "differs from 2026-07-28 at" in text
    assert "/result/isError  nothing  there true" in text
    assert "asked  elicitation/create  Sure ␛[2J?  by request" in text
    assert 'answered  {"action":"accept"}  by policy' in text
    assert "5 entries of the journal, #4 to #9  conn:3" in text
    assert "\x1b" not in text


def test_the_one_that_all_are_compared_with_says_so() -> None:
    assert "the others are compared with it" in told(BROKEN)
    assert told(REFUSED) == "– refused  it speaks another"


def test_a_tool_that_is_not_listed_is_told() -> None:
    assert "does not list the tool" in told(Run(NEW, "done", unsent="no", listed=False))


def test_before_the_start_it_says_how_often_and_what_questions_get() -> None:
    policies = same_for_all(HEADLESS, "decline")
    before = about_lines(5, policies, "p", started=False).plain
    assert before.startswith("5 calls in sessions of their own: what it does, it does each time.")
    assert "Questions of the server get: decline  (p changes it)" in before
    assert max(map(len, before.split("\n"))) <= 74
    mixed = about_lines(1, {**policies, "sampling": Policy("answer")}, "p", started=True).plain
    assert "sampling answer, forms decline, pages decline" in mixed
    assert "changes it" not in mixed
