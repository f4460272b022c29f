"""What a run answers when the server asks: `--on-sampling` and `--on-elicitation` to policies.

One word, or a canned answer: `decline`, `cancel`, `accept-defaults`, `ask`, `answer=JSON`,
`answer=@FILE`. For elicitation the JSON is the content of the form (or a whole result with
`action`), for sampling the whole result, or just a text.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from inspector.errors import UsageError
from inspector.session.asks import HEADLESS, INTERACTIVE, AskKind, Policy, PolicyMode

if TYPE_CHECKING:
    from inspector.cli.options import Given
    from inspector.config.settings import Settings
    from inspector.protocol.messages import Json, JsonObject

WORDS = ("decline", "cancel", "accept-defaults", "ask")


def policies(given: "Given", settings: "Settings", *, headless: bool) -> Mapping[AskKind, Policy]:
    """The policy for each kind of ask. Raises UsageError for one that cannot be."""
    chosen: dict[AskKind, Policy] = dict(HEADLESS if headless else INTERACTIVE)
    sampling, elicitation = given.on_sampling, given.on_elicitation
    if not headless:
        sampling, elicitation = sampling or settings.sampling, elicitation or settings.elicitation
    if sampling is not None:
        chosen["sampling"] = _policy("--on-sampling", sampling, "sampling", headless)
    if elicitation is not None:
        policy = _policy("--on-elicitation", elicitation, "elicitation", headless)
        chosen["elicitation"] = policy
        # A page is never agreed to unseen: canned answers and defaults are for forms.
        canned = policy.mode in ("answer", "accept-defaults") and not _has_action(policy.answer)
        chosen["elicitation-url"] = Policy("decline") if canned else policy
    return chosen


def _policy(option: str, text: str, kind: AskKind, headless: bool) -> Policy:
    word, equals, answer = text.partition("=")
    if word == "answer" and equals:
        return Policy("answer", _answer(option, answer, kind))
    if text not in WORDS:
        raise UsageError(
            f"{option} {text!r} is not known",
            hint=f"choose {', '.join(WORDS)}, answer=JSON or answer=@FILE",
        )
    if text == "ask" and headless and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(f"{option} ask needs a terminal to ask on")
    return Policy(cast("PolicyMode", text))


def _answer(option: str, text: str, kind: AskKind) -> "JsonObject":
    source = "the answer"
    if text.startswith("@"):
        source = text[1:]
        try:
            text = Path(text[1:]).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{option}: {source} cannot be read: {error}") from None
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{option}: {source} is no JSON: {error}") from None
    if kind == "sampling" and isinstance(value, str):
        return sampling_result(value)
    if not isinstance(value, dict):
        raise UsageError(f"{option}: {source} is not a JSON object")
    return value


def sampling_result(text: str) -> "JsonObject":
    """A whole sampling result that says `text`."""
    content: JsonObject = {"type": "text", "text": text}
    return {
        "role": "assistant",
        "content": content,
        "model": "mcp-inspect/typed",
        "stopReason": "endTurn",
    }


def _has_action(answer: "JsonObject | None") -> bool:
    return answer is not None and isinstance(answer.get("action"), str)
