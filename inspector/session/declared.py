"""Which questions of a server this client has declared that it answers. Pure.

The same rule for a request of the handshake era and for an input request inside a result of the
modern era (client/roots, client/sampling, client/elicitation).
"""

from dataclasses import dataclass
from typing import Literal

from inspector.protocol.codes import INVALID_PARAMS, METHOD_NOT_FOUND
from inspector.protocol.messages import JsonObject
from inspector.protocol.versions import Revision
from inspector.session.asks import AskKind
from inspector.session.state import capability_at


@dataclass(frozen=True, slots=True)
class Unasked:
    """A question that this client did not declare: error code and reason of the refusal."""

    code: int
    why: str


def ask_kind(
    method: str, params: JsonObject, capabilities: JsonObject, revision: Revision | None
) -> AskKind | Unasked:
    """The kind of ask that `method` with `params` is for a client that declared `capabilities`
    in `revision`."""
    match method:
        case "roots/list" if capability_at(capabilities, ("roots",)):
            return "roots"
        case "sampling/createMessage" if capability_at(capabilities, ("sampling",)):
            # Before 2025-11-25 these are members that nobody has defined.
            defined = revision is not None and revision >= Revision.V2025_11_25
            wants_tools = defined and ("tools" in params or "toolChoice" in params)
            if wants_tools and not capability_at(capabilities, ("sampling", "tools")):
                return Unasked(INVALID_PARAMS, "this client did not declare sampling.tools")
            return "sampling"
        case "elicitation/create" if capability_at(capabilities, ("elicitation",)):
            mode = _elicitation_mode(params, capabilities)
            if mode is None:
                why = f"this client did not declare the elicitation mode {params.get('mode')!r}"
                return Unasked(INVALID_PARAMS, why)
            return "elicitation-url" if mode == "url" else "elicitation"
        case _:
            return Unasked(METHOD_NOT_FOUND, f"Method not found: {method}")


def _elicitation_mode(
    params: JsonObject, capabilities: JsonObject
) -> Literal["form", "url"] | None:
    """The mode, where it was declared; absent means form, and so does an empty capability."""
    mode = params.get("mode", "form")
    if mode == "url" and capability_at(capabilities, ("elicitation", "url")):
        return "url"
    form = capability_at(capabilities, ("elicitation", "form"))
    if mode == "form" and (capabilities.get("elicitation") == {} or form):
        return "form"
    return None
