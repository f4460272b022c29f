"""What `mcp-inspect matrix` prints: a line per revision and where they differ, or JSON.

Results in the JSON are what the server sent, token for token. What a difference is, is decided by
`inspector.era_compare`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.text import Text

from inspector.cli import output
from inspector.cli.output import Paragraph
from inspector.cli.running import Run, Work
from inspector.cli.waiting_line import waiting_line
from inspector.compare.values import Difference
from inspector.era_compare import Comparison, gist, said
from inspector.era_compare import Run as EraRun
from inspector.era_matrix import EraMatrix, Wanted
from inspector.protocol.messages import Json, RawJson, Sendable, encode_json
from inspector.protocol.versions import Revision
from inspector.render.safe import one_line, safe_text
from inspector.render.values import shown_json
from inspector.session.pending import Failure, Lost, Success

if TYPE_CHECKING:
    from inspector.cli.output import Part

OUTCOME_WIDTH: Final = 17
ASKED_WIDTH: Final = 16
SHOWN: Final = 10
"""Differences that are printed of one revision; `--json` has more."""
VALUE_CELLS: Final = 40
SAID_MOST: Final = 400
"""Characters of what an outcome says."""


def compare_revisions(wanted: Wanted, revisions: Sequence[Revision]) -> Work:
    """Makes the calls, prints what came of them."""

    async def work(run: Run) -> int:
        matrix = EraMatrix(
            run.bench, wanted, policies=run.bench.options.policies, revisions=revisions
        )
        under = f"{revisions[0]} only"
        if len(revisions) > 1:
            under = f"each of {len(revisions)} revisions: what it does, it does each time"
        run.out.note(f"{wanted.method} {wanted.name} under {under}")
        with waiting_line(lambda: under_way(matrix.runs), wanted=not run.out.as_json):
            await matrix.run()
        comparison = matrix.comparison
        if run.out.as_json:
            run.out.result_json(encode_json(as_json(matrix, comparison)))
        else:
            run.out.result(*drawn(matrix.runs, comparison))
        if not any(one.accepted for one in matrix.runs):
            _say_why(run, matrix.runs)
        return exit_code(matrix.runs, comparison)

    return work


def exit_code(runs: Sequence[EraRun], comparison: Comparison) -> int:
    """0 where all accepted revisions brought the same result and it is no error, 3 where none was
    accepted, else 1."""
    if not any(one.accepted for one in runs):
        return output.CANNOT_CONNECT
    whole = all(one.clean for one in runs if one.accepted)
    return (
        output.DONE
        if comparison.agree and whole and not any(one.state == "failed" for one in runs)
        else output.SERVER_ERROR
    )


def _say_why(run: Run, runs: Sequence[EraRun]) -> None:
    """No revision was accepted: the first reason, with what may help."""
    for one in runs:
        if one.error is not None:
            run.out.failure(one.error)
            return


def under_way(runs: Sequence[EraRun]) -> str:
    """How far all revisions are, in one line of 80 columns: a sign for each that is over, and what
    the present one does."""
    words = []
    for one in runs:
        if one.over:
            sign = "✓" if one.clean else "–" if one.state == "refused" else "✗"
            words.append(f"{one.revision} {sign}")
        elif one.state == "waiting":
            words.append(one.revision.value)
        else:
            words.append(f"{one.revision} {one.state} …")
    return "  ".join(words)


# -- for machines --


def as_json(matrix: EraMatrix, comparison: Comparison) -> Sendable:
    """Everything that is known of the runs."""
    groups: list[Sendable] = [[one.value for one in group] for group in comparison.groups]
    return {
        "method": matrix.wanted.method,
        "name": matrix.wanted.name,
        "agree": comparison.agree,
        "groups": groups,
        "runs": [_run(one, comparison) for one in matrix.runs],
    }


def _run(run: EraRun, comparison: Comparison) -> Sendable:
    facts: dict[str, Sendable] = {
        "revision": run.revision.value,
        "accepted": run.accepted,
        "state": run.state,
        "why": run.why,
        "outcome": said(run) if run.state == "done" else None,
        "group": comparison.letter(run.revision) or None,
    }
    match run.outcome:
        case Success(raw=raw):
            facts["result"] = RawJson(raw)
        case Failure(raw=raw):
            facts["error"] = RawJson(raw)
        case Lost(error=error):
            facts["lost"] = {"kind": error.kind, "message": error.message, "hint": error.hint}
        case None:
            if run.unsent:
                facts["unsent"] = run.unsent
    facts["asked"] = [
        {"method": one.method, "message": one.message, "how": one.how, "answer": one.answer}
        for one in run.asked
    ]
    facts["listed"] = run.listed
    facts["ms"] = None if run.seconds is None else round(run.seconds * 1000, 3)
    facts["entries"] = run.entries
    facts["progress"], facts["logs"] = run.progress, run.logs
    facts["notifications"] = run.notifications
    facts["differs"] = [_difference(one) for one in comparison.differing.get(run.revision, ())]
    return facts


def _difference(one: Difference) -> Sendable:
    facts: dict[str, Sendable] = {"pointer": one.pointer}
    if one.missing != "left":
        facts["base"] = one.left
    if one.missing != "right":
        facts["here"] = one.right
    return facts


# -- for people --


def drawn(runs: Sequence[EraRun], comparison: Comparison) -> "list[Part]":
    """A line per revision, then each group's differences."""
    head = f"   {'revision':<12}{'outcome':<{OUTCOME_WIDTH}}{'asked':<{ASKED_WIDTH}}{'ms':>6}  says"
    parts: list[Part] = [Text(head, style="mcp.dim")]
    indent = len(head) - len("says")
    parts += [_line(run, comparison, indent) for run in runs]
    if comparison.agree:
        if comparison.base is not None and sum(map(len, comparison.groups)) > 1:
            parts.append(Text("\nthe same under all that were accepted", style="mcp.ok"))
        return parts
    for group in comparison.groups[1:]:
        parts.append(Text(f"\n{_heading(group, comparison)}", style="mcp.title"))
        differing = comparison.differing[group[-1]]
        parts += [Paragraph(_told(one), 3) for one in differing[:SHOWN]]
        if len(differing) > SHOWN:
            more = f"and {len(differing) - SHOWN} more; --json has them"
            parts.append(Paragraph(Text(more, style="mcp.dim"), 3))
    return parts


def _line(run: EraRun, comparison: Comparison, indent: int) -> Paragraph:
    letter = comparison.letter(run.revision)
    lead = Text(f"{letter or '–':<3}", style="mcp.title" if letter == "A" else "mcp.warn")
    lead.append(f"{run.revision.value:<12}")
    ink = "mcp.ok" if run.clean else "mcp.dim" if run.state == "refused" else "mcp.error"
    mark = "✓" if run.clean else "–" if run.state == "refused" else "✗"
    lead.append(f"{mark} {said(run)}".ljust(OUTCOME_WIDTH), ink)
    lead.append(_asked(run).ljust(ASKED_WIDTH))
    lead.append(f"{'' if run.seconds is None else f'{run.seconds * 1000:.0f}':>6}  ")
    words = " ".join(gist(run)[:SAID_MOST].split())
    return Paragraph(safe_text(words, keep_newlines=False), indent, lead)


def _asked(run: EraRun) -> str:
    """How often it asked, and how: by requests of its own, in results, or by an error."""
    if not run.asked:
        return "–"
    hows = dict.fromkeys(one.how for one in run.asked)
    words = {"request": "request", "input_required": "in result", "error": "in error"}
    return f"{len(run.asked)} {', '.join(words[how] for how in hows)}"


def _heading(group: Sequence[Revision], comparison: Comparison) -> str:
    assert comparison.base is not None
    names = ", ".join(one.value for one in group)
    verb = "differs" if len(group) == 1 else "differ"
    return f"{comparison.letter(group[0])}  {names} {verb} from {comparison.base} at"


def _told(one: Difference) -> Text:
    text = safe_text(one.pointer or "/", "mcp.key", keep_newlines=False)
    left = "nothing" if one.missing == "left" else _short(one.left)
    right = "nothing" if one.missing == "right" else _short(one.right)
    return text.append(f"  {right}, there {left}", "mcp.dim")


def _short(value: Json) -> str:
    return one_line(shown_json(value).decode("utf-8", "replace"), VALUE_CELLS)
