"""Rules of results in 2026-07-28: their type, and requests in several rounds
(`basic/patterns/mrtr`)."""

from dataclasses import dataclass, field
from typing import Final

from inspector.journal.recent import Recent
from inspector.lint.look import Look
from inspector.lint.rule import Rule, pointer, quoted, rule
from inspector.lint.state import MODERN
from inspector.protocol.messages import MessageKind
from inspector.protocol.methods import INPUT_REQUIRED_METHODS, METHODS

_PAGE: Final = "basic/patterns/mrtr"
_TYPES: Final = frozenset({"complete", "input_required", "task"})
ROUNDS: Final = 10
"""More questions in a row for one call look like a loop."""

RULES: Final[tuple[Rule, ...]] = (
    rule("result/type-missing", "A result lacks its type", "basic", error="E"),
    rule("result/type-unknown", "A result's type is unknown", "basic", error="E"),
    rule(
        "mrtr/unsupported-method",
        "A request is answered by a question that must not be",
        _PAGE,
        error="E",
    ),
    rule("mrtr/empty", "A question asks nothing", _PAGE, error="E"),
    rule("mrtr/bad-request-kind", "A question asks for what it cannot", _PAGE, error="E"),
    rule("mrtr/loop", "A call is asked about without end", _PAGE, warn="E"),
)


@dataclass(slots=True)
class _Kept:
    rounds: Recent[str, int] = field(default_factory=Recent)


def shape(look: Look) -> None:
    """Judges the type of a result and what it asks."""
    if look.revision is not MODERN or look.kind is not MessageKind.RESULT or look.asked is None:
        return
    if not isinstance(look.value.get("result"), dict):
        return
    said = look.result.get("resultType")
    if "resultType" not in look.result:
        look.report(
            "result/type-missing",
            "The result must have a resultType; without one it is read as complete.",
            "/result/resultType",
        )
    elif not isinstance(said, str) or said not in _TYPES:
        look.report(
            "result/type-unknown",
            f"The resultType {quoted(said)} is none that this revision or an extension has.",
            "/result/resultType",
        )
    elif said == "input_required" and look.from_server:
        _question(look)


def _question(look: Look) -> None:
    if look.method not in INPUT_REQUIRED_METHODS:
        look.report(
            "mrtr/unsupported-method",
            f"{look.method} must not be answered by input_required; only"
            f" {', '.join(sorted(INPUT_REQUIRED_METHODS))} may.",
            "/result",
        )
        return
    requests, state = look.result.get("inputRequests"), look.result.get("requestState")
    if not requests and state is None:
        look.report(
            "mrtr/empty",
            "An input_required result must have inputRequests or a requestState.",
            "/result",
        )
    for key, asked in requests.items() if isinstance(requests, dict) else ():
        method = asked.get("method") if isinstance(asked, dict) else None
        row = METHODS.get(method) if isinstance(method, str) else None
        if row is None or MODERN not in row.embedded:
            look.report(
                "mrtr/bad-request-kind",
                f"An input request must be a sampling, elicitation or roots request, not"
                f" {quoted(method)}.",
                pointer("result", "inputRequests", key),
            )


def check(look: Look) -> None:
    """Counts the rounds of a call."""
    asked = look.asked
    if look.revision is not MODERN or asked is None or look.kind is not MessageKind.RESULT:
        return
    kept = look.state.held(_Kept)
    name = f"{asked.method} {asked.params.get('name') or asked.params.get('uri')}"
    if look.result.get("resultType") != "input_required":
        kept.rounds.put(name, 0)
        return
    count = (kept.rounds.get(name) or 0) + 1 if "requestState" in asked.params or (
        "inputResponses" in asked.params
    ) else 1  # fmt: skip
    kept.rounds.put(name, count)
    if count == ROUNDS + 1:
        look.report(
            "mrtr/loop",
            f"The call is asked about for the {count}th time in a row; it should come to an end.",
            "/result/resultType",
            asked.number,
        )
