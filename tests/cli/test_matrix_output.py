"""What the matrix prints, and what its exit code says."""

import json

import pytest

from inspector.cli.matrix_output import SHOWN, as_json, drawn, exit_code, under_way
from inspector.cli.output import Paper
from inspector.config.targets import Target
from inspector.era_compare import Asked, Run, compare
from inspector.era_matrix import EraMatrix, Wanted
from inspector.errors import ConnectionFailed, RequestTimeout
from inspector.protocol.messages import Json, encode_json
from inspector.protocol.versions import Revision
from inspector.session.asks import HEADLESS
from inspector.session.pending import Failure, Lost, Outcome, Success
from inspector.workbench import Options, Workbench

OLD, NEW = Revision.V2025_11_25, Revision.V2026_07_28


def success(result: Json) -> Success:
    return Success(result, json.dumps(result).encode(), 1)


FIVE = success({"content": [{"type": "text", "text": "5"}]})
WRONG = success({"content": [], "isError": True})
NO = Failure(-32602, "no \x1b[2J", None, b'{"code":-32602,"message":"no","n":1.10}', 1)


def run(revision: Revision, outcome: Outcome | None = None, state: str = "done") -> Run:
    return Run(revision, state, outcome=outcome, seconds=0.0123)  # type: ignore[arg-type]


def printed(runs: list[Run]) -> str:
    paper = Paper(is_terminal=False)
    return "".join(map(paper.print, drawn(runs, compare(runs))))


@pytest.mark.parametrize(
    ("runs", "code"),
    [
        ([run(OLD, FIVE), run(NEW, FIVE)], 0),
        ([run(OLD, FIVE), run(NEW, state="refused")], 0),
        ([run(OLD, FIVE), run(NEW, state="failed")], 1),
        ([run(OLD, FIVE), run(NEW, WRONG)], 1),
        ([run(OLD, WRONG), run(NEW, WRONG)], 1),
        ([run(OLD, NO), run(NEW, NO)], 1),
        ([run(OLD, Lost(RequestTimeout("late"))), run(NEW, FIVE)], 1),
        ([run(OLD, state="refused"), run(NEW, state="failed")], 3),
    ],
)
def test_the_exit_code_says_whether_all_that_were_accepted_brought_the_same_result(
    runs: list[Run], code: int
) -> None:
    assert exit_code(runs, compare(runs)) == code


def test_text_of_a_server_is_made_harmless() -> None:
    text = printed([run(OLD, NO), run(NEW, FIVE)])
    assert "\x1b" not in text
    assert "␛[2J" in text


def test_a_long_comparison_is_cut_and_says_so() -> None:
    items: list[Json] = [{"type": "text", "text": str(one)} for one in range(30)]
    others: list[Json] = [{"type": "text", "text": f"x{one}"} for one in range(30)]
    text = printed([run(OLD, success({"content": items})), run(NEW, success({"content": others}))])
    assert text.count("/result/content/") == SHOWN
    assert "and 20 more; --json has them" in text


def test_how_it_asked_stands_beside_the_outcome() -> None:
    asked = Asked("elicitation/create", "Sure?", "input_required", {"action": "accept"}, "")
    runs = [
        run(OLD, FIVE),
        Run(NEW, "done", outcome=FIVE, asked=(asked, asked), seconds=0.2),
    ]
    lines = printed(runs).splitlines()
    assert lines[2].split()[:7] == ["A", "2026-07-28", "✓", "result", "2", "in", "result"]
    assert "   /asked  nothing, there" in "\n".join(lines)


async def test_json_has_results_errors_and_losses_as_they_came() -> None:
    target = Target(("server",))
    async with Workbench(target, options=Options(no_record=True)) as bench:
        matrix = EraMatrix(bench, Wanted("tools/call", "x"), policies=HEADLESS)
    matrix.runs = (
        Run(Revision.V2024_11_05, "refused", why="no"),
        run(Revision.V2025_03_26, Lost(ConnectionFailed("gone", kind="exited"))),
        Run(Revision.V2025_06_18, "done", unsent="not declared"),
        run(OLD, NO),
        run(NEW, FIVE),
    )
    raw = encode_json(as_json(matrix, matrix.comparison))
    assert b'{"code":-32602,"message":"no","n":1.10}' in raw
    told = json.loads(raw)
    assert told["agree"] is False
    refused, lost, unsent, error, result = told["runs"]
    assert (refused["accepted"], refused["group"], refused["outcome"]) == (False, None, None)
    assert lost["lost"] == {"kind": "exited", "message": "gone", "hint": ""}
    assert unsent["unsent"] == "not declared"
    assert error["differs"][0]["pointer"] == "/result"
    assert "here" not in error["differs"][0]
    assert (result["ms"], result["differs"]) == (12.3, [])


def test_how_far_all_revisions_are_fits_in_one_line() -> None:
    runs = [
        run(Revision.V2024_11_05, state="refused"),
        run(Revision.V2025_03_26, FIVE),
        run(Revision.V2025_06_18, WRONG),
        run(Revision.V2025_11_25, state="connecting"),
        run(Revision.V2026_07_28, state="waiting"),
    ]
    line = under_way(runs)
    done, now = "2024-11-05 –  2025-03-26 ✓  2025-06-18 ✗", "2025-11-25 connecting …"
    assert line == f"{done}  {now}  2026-07-28"
    assert len(line) < 80
