"""What a server says, without the secrets that it repeats: a token of ours in a result would be on
the screen, in a screenshot, in a log of whoever runs a command.

Only values that we hold are taken out; whatever else a result says stays as it came. Pure.
"""

from collections.abc import Callable

from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import MessageKind, read_envelope
from inspector.session.pending import Failure, Outcome, Success


def without_ours(outcome: Outcome, masked: Callable[[bytes], bytes]) -> Outcome:
    """The outcome to show; `masked` takes our secrets out of a text."""
    if not isinstance(outcome, Success | Failure) or _asks_back(outcome):
        return outcome
    raw = masked(outcome.raw)
    if raw == outcome.raw:
        return outcome
    try:
        value = parse_json(raw)
    except NotJsonError:  # a secret reached over the border of a token: nothing of it is shown
        value, raw = None, b"null"
    if isinstance(outcome, Success):
        return Success(value, raw, outcome.entry)
    error = value if isinstance(value, dict) else {}
    message = error.get("message")
    return Failure(
        outcome.code,
        message if isinstance(message, str) else "",
        error.get("data"),
        raw,
        outcome.entry,
        outcome.hint,
    )


def message_without_ours(raw: bytes, masked: Callable[[bytes], bytes]) -> bytes:
    """What the server says of its own accord, or asks. An address that it wants opened has to stay
    what it is, and is shown whole; an answer is for `without_ours`."""
    envelope = read_envelope(raw)
    if envelope.kind not in (MessageKind.NOTIFICATION, MessageKind.REQUEST):
        return raw
    said = masked(raw)
    if said == raw or (envelope.method == "elicitation/create" and _is_page(raw)):
        return raw
    return said if read_envelope(said).kind is envelope.kind else raw


def _is_page(raw: bytes) -> bool:
    try:
        message = parse_json(raw)
    except NotJsonError:
        return False
    params = message.get("params") if isinstance(message, dict) else None
    return isinstance(params, dict) and params.get("mode") == "url"


def _asks_back(outcome: Outcome) -> bool:
    """What has to go back byte for byte is not touched; nobody is shown it as a result."""
    result = outcome.result if isinstance(outcome, Success) else None
    return isinstance(result, dict) and result.get("resultType") == "input_required"
