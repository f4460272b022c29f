"""Completions of prompt arguments and template variables (server/utilities/completion).

Builds the parameters and reads the answer; when to ask (debounce) is left to whoever types.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from inspector.protocol.messages import JsonObject, Sendable
from inspector.protocol.versions import Revision
from inspector.session.pending import Failure, Lost, Outcome


@dataclass(frozen=True, slots=True)
class Completion:
    """The suggestions. `total` is how many there are in all where the server says so; `error` says
    why there are none ("" where the server simply has none)."""

    values: tuple[str, ...] = ()
    total: int | None = None
    has_more: bool = False
    error: str = ""


def completion_params(
    ref: JsonObject,
    argument: str,
    value: str,
    context: Mapping[str, str] | None,
    revision: Revision | None,
) -> dict[str, Sendable]:
    """The parameters of `completion/complete`; `context` exists since 2025-06-18."""
    params: dict[str, Sendable] = {"ref": ref, "argument": {"name": argument, "value": value}}
    if context and revision is not None and revision >= Revision.V2025_06_18:
        params["context"] = {"arguments": dict(context)}
    return params


def read_completion(outcome: Outcome) -> Completion:
    """What the server suggests; values that are no strings are left out."""
    match outcome:
        case Lost():
            return Completion(error=outcome.error.message)
        case Failure():
            return Completion(error=f"{outcome.code} {outcome.message}")
        case _:
            body = outcome.result.get("completion") if isinstance(outcome.result, dict) else None
    values = body.get("values") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(values, list):
        return Completion(error="the answer has no completion.values")
    total = body.get("total")
    return Completion(
        tuple(value for value in values if isinstance(value, str)),
        total if isinstance(total, int) and not isinstance(total, bool) else None,
        body.get("hasMore") is True,
    )
