"""What happens to questions of a server, in a few words. Pure."""

from collections.abc import Mapping
from typing import Final

from inspector.session.asks import ASK_KINDS, AskKind, Policy, PolicyMode

POLICY_NAMES: Final[Mapping[AskKind, str]] = {
    "sampling": "sampling",
    "elicitation": "elicitation form",
    "elicitation-url": "elicitation URL",
    "roots": "roots",
    "round": "further rounds",
}

_SHORT_NAMES: Final[Mapping[AskKind, str]] = {
    "sampling": "sampling",
    "elicitation": "form",
    "elicitation-url": "URL",
    "roots": "roots",
    "round": "rounds",
}

_BRIEFLY: Final[Mapping[tuple[AskKind, PolicyMode], str]] = {
    ("roots", "answer"): "answer",
    ("round", "answer"): "go on",
    ("round", "ask"): "step",
    ("round", "decline"): "stop",
}
"""Policies where one line has room for all of them."""


def policy_words(kind: AskKind, policy: Policy) -> str:
    """The policy in a few words."""
    match policy.mode:
        case "ask" if kind == "round":
            return "ask me before each"
        case "ask":
            return "ask me"
        case "decline" if kind == "round":
            return "end the call"
        case "decline":
            return "decline"
        case "cancel":
            return "cancel"
        case "accept-defaults":
            return "accept with defaults"
        case "answer":
            if policy.answer is None and kind == "roots":
                return "answer with the roots below"
            if kind == "round":
                return "go on by itself"
            return "a canned answer"


def policies_line(policies: Mapping[AskKind, Policy]) -> str:
    """All policies on one line, kinds with the same one together."""
    together: dict[str, list[str]] = {}
    for kind in ASK_KINDS:
        words = _BRIEFLY.get((kind, policies[kind].mode)) or policy_words(kind, policies[kind])
        together.setdefault(words, []).append(_SHORT_NAMES[kind])
    return " · ".join(f"{words}: {', '.join(kinds)}" for words, kinds in together.items())
