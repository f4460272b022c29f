"""What is answered where nobody is asked: policy and ask to answer. Pure.

A URL elicitation needs consent, so no policy but an explicit answer of the user's accepts one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from inspector.protocol.codes import USER_REJECTED
from inspector.protocol.messages import Json, JsonObject
from inspector.session.asks import AskKind, AskState, Policy
from inspector.session.roots import Root

ELICITATION_ACTIONS: Final = frozenset({"accept", "decline", "cancel"})
CANNED_TEXT: Final = "A canned answer: no model was asked."


@dataclass(frozen=True, slots=True)
class Answer:
    """What to send: a result, or an error where `code` is set. `state` is how the ask ends.

    `message` is the error's text, or beside a result why it is not what the policy is called.
    """

    state: AskState
    result: JsonObject | None = None
    code: int | None = None
    message: str = ""

    @property
    def shown(self) -> JsonObject:
        """The result or the error, as the ask keeps it."""
        if self.result is not None:
            return self.result
        return {"code": self.code, "message": self.message}


def decide(kind: AskKind, policy: Policy, params: JsonObject, roots: Iterable[Root]) -> Answer:
    """The answer that `policy` (any mode but "ask") gives."""
    match policy.mode:
        case "answer" if policy.answer is not None:
            return _given(kind, policy.answer)
        case "answer" | "accept-defaults":
            return _accepted(kind, params, roots)
        case "cancel":
            return cancelled(kind)
        case _:
            return declined(kind)


def accepted_content(kind: AskKind, content: Json) -> JsonObject:
    """The result that accepts an elicitation; URL mode has no content (client/elicitation)."""
    if kind == "elicitation-url" or content is None:
        return {"action": "accept"}
    return {"action": "accept", "content": content}


def declined(kind: AskKind, message: str = "") -> Answer:
    """A no: the elicitation action, or the error that the spec names for a rejection (-1)."""
    if kind in ("elicitation", "elicitation-url"):
        return Answer("declined", {"action": "decline"})
    what = "next" if kind == "round" else kind
    return Answer("declined", None, USER_REJECTED, message or f"User rejected the {what} request")


def cancelled(kind: AskKind) -> Answer:
    """Neither yes nor no: dismissed."""
    if kind in ("elicitation", "elicitation-url"):
        return Answer("cancelled", {"action": "cancel"})
    what = "next" if kind == "round" else kind
    return Answer("cancelled", None, USER_REJECTED, f"User dismissed the {what} request")


def roots_result(roots: Iterable[Root]) -> JsonObject:
    """The result of `roots/list`."""
    return {"roots": [root.as_json() for root in roots]}


def schema_defaults(params: JsonObject) -> JsonObject:
    """The content that an elicitation's `requestedSchema` suggests.

    A field has its default; one that is required has the value it must have (`const`), or the
    first one it may have (`enum`, `oneOf`). All others stay out.
    """
    schema = params.get("requestedSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return {}
    required = required_names(params)
    content: JsonObject = {}
    for name, field in properties.items():
        if not isinstance(field, dict):
            continue
        if "default" in field:
            content[name] = field["default"]
        elif name in required and (choices := _choices(field)):
            content[name] = choices[0]
    return content


def required_names(params: JsonObject) -> list[str]:
    """The fields that an elicitation's form requires."""
    schema = params.get("requestedSchema")
    required = schema.get("required") if isinstance(schema, dict) else None
    names = required if isinstance(required, list) else []
    return [name for name in names if isinstance(name, str)]


def _choices(field: JsonObject) -> list[Json]:
    """The values that a field may have, where it lists them."""
    if "const" in field:
        return [field["const"]]
    if isinstance(values := field.get("enum"), list):
        return values
    options = field.get("oneOf")
    return [
        option["const"]
        for option in (options if isinstance(options, list) else [])
        if isinstance(option, dict) and "const" in option
    ]


def _given(kind: AskKind, answer: JsonObject) -> Answer:
    if kind in ("elicitation", "elicitation-url"):
        whole = answer.get("action") in ELICITATION_ACTIONS and answer.keys() <= {
            "action",
            "content",
            "_meta",
        }
        return Answer("automatic", answer if whole else accepted_content(kind, answer))
    return Answer("automatic", answer)


def _accepted(kind: AskKind, params: JsonObject, roots: Iterable[Root]) -> Answer:
    match kind:
        case "roots":
            return Answer("automatic", roots_result(roots))
        case "elicitation":
            content = schema_defaults(params)
            lacking = [name for name in required_names(params) if name not in content]
            if lacking:  # a form with holes is no acceptance
                return replace(declined(kind), message=f"no default for {', '.join(lacking)}")
            return Answer("automatic", accepted_content(kind, content))
        case "elicitation-url":
            return declined(kind)
        case "round":
            return Answer("automatic", params)
        case "sampling":
            text: JsonObject = {"type": "text", "text": CANNED_TEXT}
            return Answer(
                "automatic",
                {
                    "role": "assistant",
                    "content": text,
                    "model": "mcp-inspect/canned",
                    "stopReason": "endTurn",
                },
            )
