"""The lines of the era matrix: a row per revision, what is known of one, and what was asked.

Equal and different are told by marks (`=`, `≠`) and letters before colours. Text of the server
passes `inspector.render.safe`.
"""

from collections.abc import Mapping
from typing import Final

from rich.text import Text

from inspector.compare.values import Difference
from inspector.era_compare import Comparison, Run, gist, said
from inspector.protocol.messages import Json
from inspector.protocol.versions import Era
from inspector.render.safe import one_line, safe_text
from inspector.render.values import shown_json
from inspector.session.asks import AskKind, Policy

OUTCOME_WIDTH: Final = 19
ASKED_WIDTH: Final = 18
NUMBER_WIDTH: Final = 9
HEAD: Final = (
    f"     {'revision':<12}{'outcome':<{OUTCOME_WIDTH}}{'asked back':<{ASKED_WIDTH}}{'took':>7}"
    f"{'prog.':>{NUMBER_WIDTH - 2}}{'logs':>{NUMBER_WIDTH - 3}}"
)
"""The heading of the rows."""
TOLD_MOST: Final = 2000
"""Characters of one thing that a server said."""
HOWS: Final[Mapping[str, str]] = {
    "request": "by request",
    "input_required": "in a result",
    "error": "in an error",
}
ERAS: Final[Mapping[Era, str]] = {
    Era.HANDSHAKE: "handshake era",
    Era.MODERN: "modern era",
}
ANSWERED: Final[Mapping[AskKind, str]] = {
    "sampling": "sampling",
    "elicitation": "forms",
    "elicitation-url": "pages",
}
Row = Run | Era
"""A run, or the heading of an era."""


def rows_of(runs: tuple[Run, ...]) -> list[Row]:
    """The runs under the headings of their eras."""
    rows: list[Row] = []
    for run in runs:
        if not rows or rows_era(rows[-1]) is not run.revision.era:
            rows.append(run.revision.era)
        rows.append(run)
    return rows


def rows_era(row: Row) -> Era:
    """The era that a row stands in."""
    return row if isinstance(row, Era) else row.revision.era


def row_line(row: Row, comparison: Comparison, width: int) -> Text:
    """One row: whether it is like the newest, the outcome, what was asked, and the numbers."""
    line = Text(end="", no_wrap=True)
    if isinstance(row, Era):
        line.append(f"  {ERAS[row]}", "mcp.dim")
        return line
    places = _places(comparison, row)
    line.append(" ")
    _mark(line, row, comparison)
    line.append(f" {row.revision.value:<12}", "mcp.title" if row.state == "done" else "")
    differs = bool(places - {"asked"})
    line.append_text(_cell(_outcome(row), OUTCOME_WIDTH, _outcome_ink(row), differs))
    line.append_text(_cell(_asked(row), ASKED_WIDTH, "", "asked" in places))
    took = "" if row.seconds is None else _milliseconds(row.seconds)
    line.append(f"{took:>7}")
    ink = "mcp.dim"
    line.append(f"{row.progress or ('–' if row.over else ''):>{NUMBER_WIDTH - 2}}", ink)
    line.append(f"{row.logs or ('–' if row.over else ''):>{NUMBER_WIDTH - 3}}", ink)
    if (room := width - line.cell_len - 2) > 10 and (words := gist(row)):
        line.append(f"  {one_line(_flat(words), room)}", "mcp.dim")
    return line


def _mark(line: Text, run: Run, comparison: Comparison) -> None:
    letter = comparison.letter(run.revision)
    if not letter:
        running = run.state in ("connecting", "calling")
        line.append(" ▸ " if running else "   ", "mcp.accent")
    elif letter == "A":
        line.append("= A", "mcp.ok")
    else:
        line.append(f"≠ {letter}", "mcp.match")


def _places(comparison: Comparison, run: Run) -> set[str]:
    """The outermost members in which a run differs from the newest: "result", "asked" …"""
    differing = comparison.differing.get(run.revision, ())
    return {one.pointer.split("/")[1] for one in differing if one.pointer}


def _cell(words: str, width: int, ink: str, differs: bool) -> Text:
    cell = Text(end="")
    if differs:
        cell.append("≠ ", "mcp.warn")
    cell.append(one_line(words, width - cell.cell_len - 1), ink)
    cell.append(" " * max(0, width - cell.cell_len))
    return cell


def _outcome(run: Run) -> str:
    if run.clean:
        return f"✓ {said(run)}"
    mark = {"refused": "– ", "stopped": "– ", "failed": "✗ ", "done": "✗ "}.get(run.state, "")
    return f"{mark}{said(run)}"


def _outcome_ink(run: Run) -> str:
    if run.clean:
        return "mcp.ok"
    return "mcp.error" if run.state in ("done", "failed") else "mcp.dim"


def _asked(run: Run) -> str:
    if not run.asked:
        return "–" if run.state == "done" else ""
    return f"{len(run.asked)} {', '.join(dict.fromkeys(HOWS[one.how] for one in run.asked))}"


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 10 else f"{seconds:.1f} s"


def _flat(words: str) -> str:
    return " ".join(words[:TOLD_MOST].split())


# -- about one run --


def detail_lines(run: Run, comparison: Comparison) -> list[Text]:
    """What is known of one run, the differences first."""
    lines = [_head(run)]
    differing = comparison.differing.get(run.revision, ())
    if differing:
        lines.append(_dim(f"differs from {comparison.base} at"))
        lines += [_difference(one) for one in differing]
    elif comparison.letter(run.revision) and len(comparison.groups) > 1:
        same = "the others are compared with it" if run.revision is comparison.base else "is like"
        words = same if run.revision is comparison.base else f"{same} {comparison.base}"
        lines.append(_dim(words))
    for one in run.asked:
        line = _dim("asked  ")
        line.append_text(safe_text(f"{one.method}  {_flat(one.message)}", keep_newlines=False))
        line.append(f"  {HOWS[one.how]}", "mcp.dim")
        lines.append(line)
        answer = _dim("  answered  ")
        answer.append_text(safe_text(_short(one.answer), keep_newlines=False))
        if one.note:
            answer.append_text(safe_text(f"  {one.note}", "mcp.dim", keep_newlines=False))
        lines.append(answer)
    if run.listed is False:
        lines.append(safe_text("the server does not list the tool under this revision", "mcp.warn"))
    if run.accepted and run.why:
        lines.append(safe_text(_flat(run.why), "mcp.dim", keep_newlines=False))
    if run.entries:
        where = f"{run.entries} entries of the journal, #{run.first} to #{run.last}"
        lines.append(_dim(f"{where}  conn:{run.connection}"))
    return lines


def _dim(words: str) -> Text:
    return safe_text(words, "mcp.dim", keep_newlines=False)


def _head(run: Run) -> Text:
    head = Text(end="")
    head.append(_outcome(run), _outcome_ink(run))
    if words := gist(run):
        head.append("  ")
        head.append_text(safe_text(_flat(words), keep_newlines=False))
    if run.error is not None and run.error.hint:
        head.append_text(safe_text(f"  ({_flat(run.error.hint)})", "mcp.dim", keep_newlines=False))
    return head


def _difference(one: Difference) -> Text:
    line = Text("  ", end="")
    line.append_text(safe_text(one.pointer or "/", "mcp.key", keep_newlines=False))
    here = "nothing" if one.missing == "right" else _short(one.right)
    there = "nothing" if one.missing == "left" else _short(one.left)
    line.append_text(safe_text(f"  {here}", keep_newlines=False))
    line.append_text(safe_text(f"  there {there}", "mcp.dim", keep_newlines=False))
    return line


def _short(value: Json) -> str:
    text = shown_json(value).decode("utf-8", "replace")
    return text if len(text) <= 200 else f"{text[:200]}…"


# -- about all of them --


def about_lines(
    count: int, policies: Mapping[AskKind, Policy], asked: str, *, started: bool
) -> Text:
    """What will be done, or was: how often, and what questions get. `asked` is the key that
    changes it."""
    ink = "mcp.dim" if started else "mcp.warn"
    text = Text(end="")
    text.append(f"{count} calls" if count > 1 else "1 call", ink)
    text.append(" in sessions of their own: what it does, it does each time.\n", ink)
    text.append("Questions of the server get: ", "mcp.dim")
    text.append(_answers(policies), "mcp.dim" if started else "mcp.title")
    if not started:
        text.append(f"  ({asked} changes it)", "mcp.dim")
    return text


def _answers(policies: Mapping[AskKind, Policy]) -> str:
    """The modes of the policies, one word where all are alike."""
    modes = {kind: policy.mode for kind, policy in policies.items() if kind in ANSWERED}
    if len(set(modes.values())) == 1:
        return next(iter(modes.values()))
    return ", ".join(f"{ANSWERED[kind]} {mode}" for kind, mode in modes.items())
