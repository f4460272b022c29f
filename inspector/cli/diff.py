"""`mcp-inspect diff`: what differs between two recordings.

Decides which options there are and what the exit code says. What is compared is decided by
`inspector.compare`, how it reads by `inspector.render.comparison`.
"""

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

import click

from inspector.cli import output
from inspector.cli.commands import HELP, Command
from inspector.cli.output import Output
from inspector.cli.recorded import STDIN, recorded
from inspector.errors import UsageError

if TYPE_CHECKING:
    from inspector.compare.calls import CallChange, Operation
    from inspector.compare.recordings import Comparison
    from inspector.compare.schemas import Change
    from inspector.compare.values import Difference
    from inspector.journal.journal import Journal
    from inspector.protocol.messages import Sendable

EXITS: Final = """\b
Exit codes:
  0      done (with --exit-code: no differences)
  1      with --exit-code: there are differences
  2      wrong usage
  3      a recording cannot be read
"""


@click.command(cls=Command, epilog=EXITS, context_settings=HELP)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--exit-code", is_flag=True, help="Exit with 1 where there are differences.")
@click.option("--filter", "text", metavar="TEXT", help="Compare only calls that match the filter.")
@click.option(
    "--ignore",
    "places",
    metavar="POINTER",
    multiple=True,
    help="A JSON pointer into outcomes (* fits anything) whose differences do not count;"
    " may be repeated.",
)
@click.option(
    "--lint/--no-lint",
    "judged",
    default=None,
    help="Compare findings too, however long that takes; or not. Default: up to 50,000 entries.",
)
@click.option("--json", "as_json", is_flag=True, help="All differences as JSON.")
def diff(
    first: str,
    second: str,
    exit_code: bool,
    text: str | None,
    places: tuple[str, ...],
    judged: bool | None,
    as_json: bool,
) -> None:
    """Compares two recordings of a server; one of them may be - for stdin.

    \b
    mcp-inspect diff before.jsonl after.jsonl
    mcp-inspect diff --exit-code --ignore '/result/content/*' old.jsonl new.jsonl

    What the server offers: tools, resources, prompts and their schemas, added, removed or changed,
    and whether that breaks who relied on it. What calls came to: the same operation with the same
    arguments, in the order in which they were made; what differs between equal calls of one
    recording too varies by itself and is only counted. How long they took, where that is more than
    noise. Which rules of the specification are broken, and were not.

    Latency, calls that only one recording has, and the server's version are told, but count as no
    difference.
    """
    from inspector.cli.main import Settled
    from inspector.compare.recordings import compare_recordings

    out = Output(as_json=as_json)
    for place in places:
        if not place.startswith("/"):
            hint = "such as '/result/content/*/text'"
            raise UsageError(
                f"--ignore wants a JSON pointer: {place!r} begins with no /", hint=hint
            )
    if first == second == STDIN:
        raise UsageError("only one recording can come from stdin")
    left, right = (recorded(one) for one in (first, second))
    for name, journal in ((first, left), (second, right)):
        if journal.dropped_bytes:
            out.note(f"{journal.dropped_bytes:,} bytes of {name} could not be read")
    compared = compare_recordings(
        left,
        right,
        wanted=_wanted(text, left, right),
        ignored=lambda pointer: any(fnmatchcase(pointer, place) for place in places),
        judged=judged,
    )
    if as_json:
        from inspector.protocol.messages import encode_json

        out.result_json(encode_json(_as_json(compared)))
    else:
        _print(out, compared, ((first, left), (second, right)))
    raise Settled(output.SERVER_ERROR if exit_code and not compared.same else output.DONE)


def _wanted(
    text: str | None, left: "Journal", right: "Journal"
) -> tuple[Callable[[int], bool], Callable[[int], bool]] | None:
    if text is None:
        return None
    from inspector.journal.query import compile_filter

    chosen = compile_filter(text)
    return (lambda n: chosen.matches(left, n)), (lambda n: chosen.matches(right, n))


def _print(
    out: Output, compared: "Comparison", sides: "tuple[tuple[str, Journal], tuple[str, Journal]]"
) -> None:
    from rich.text import Text

    from inspector.cli.output import Paragraph
    from inspector.render.comparison import comparison_lines, offer_words
    from inspector.render.safe import safe_text

    parts: list[output.Part] = []
    for sign, (name, journal), offer in zip(
        ("---", "+++"), sides, (compared.left, compared.right), strict=True
    ):
        head = Text(f"{sign} ", "mcp.dim").append_text(safe_text(name, keep_newlines=False))
        words = " · ".join(one for one in (offer_words(offer), f"{len(journal):,} entries") if one)
        parts.append(head.append(f"  {words}", "mcp.dim"))
    for line in comparison_lines(compared):
        parts.append(Paragraph(line.text, 2 * line.level) if line.level else line.text)
    if compared.same:
        parts.append(Text("no differences", "mcp.ok"))
    out.result(*parts)


# -- for machines --


def _as_json(compared: "Comparison") -> "Sendable":
    calls = compared.calls
    rules: Sendable = None
    if compared.rules is not None:
        rules = [
            {"rule": one.rule, "severity": one.severity.value, "a": one.left, "b": one.right}
            for one in compared.rules
        ]
    return {
        "same": compared.same,
        "offers": [
            {
                "kind": item.kind,
                "name": item.name,
                "change": item.how,
                "effect": item.effect,
                "differences": [_change(one) | {"effect": one.effect} for one in item.changes],
            }
            for item in compared.offers
        ],
        "unread": [
            {"kind": kind, "in": "a" if side == "left" else "b"} for kind, side in compared.unread
        ],
        "calls": {
            "matched": calls.matched,
            "changed": [_call(one) for one in calls.changed],
            "changedCount": calls.changed_count,
            "varying": calls.varying,
            "onlyA": _spare(calls.only_left),
            "onlyB": _spare(calls.only_right),
        },
        "latency": [
            {
                "method": operation.method,
                "name": operation.name,
                "a": {"medianMs": _ms(moved.left), "calls": moved.counts[0]},
                "b": {"medianMs": _ms(moved.right), "calls": moved.counts[1]},
                "noiseMs": _ms(moved.floor),
            }
            for operation, moved in compared.shifts
        ],
        "findings": rules,
    }


def _call(one: "CallChange") -> "Sendable":
    return {
        "method": one.operation.method,
        "name": one.operation.name,
        "a": {"request": one.left, "outcome": one.before.entry, "state": one.before.state},
        "b": {"request": one.right, "outcome": one.after.entry, "state": one.after.state},
        "differences": [_change(place) for place in one.differences],
    }


def _change(one: "Change | Difference") -> "dict[str, Sendable]":
    facts: dict[str, Sendable] = {"pointer": one.pointer}
    if one.missing != "left":
        facts["a"] = one.left
    if one.missing != "right":
        facts["b"] = one.right
    return facts


def _spare(spare: "Mapping[Operation, int]") -> "Sendable":
    return [
        {"method": one.method, "name": one.name, "calls": count} for one, count in spare.items()
    ]


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
