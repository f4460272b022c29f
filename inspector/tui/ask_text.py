"""What an ask says, as rich text: who asks, for which call, since when, and the question itself.

Pure: an `Ask` in, text through `render.safe` out. How it is answered is the ask panel's business.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import msgspec
from rich.text import Text

from inspector.errors import UsageError
from inspector.protocol.deprecated import is_deprecated
from inspector.protocol.messages import Json, JsonObject, raw_members
from inspector.render.safe import one_line, safe_text
from inspector.session.asks import Ask, CauseFrom
from inspector.session.sampling import conversation_problems
from inspector.transport.browser import check_page
from inspector.tui.gist import as_said
from inspector.tui.traffic_row import duration

if TYPE_CHECKING:
    from inspector.session.session import Session

KIND_WORDS: Final = {
    "sampling": "Sampling: the server wants a model's answer",
    "elicitation": "Elicitation: the server asks you",
    "elicitation-url": "Elicitation: the server wants you to open a page",
    "roots": "Roots: the server asks what it may work on",
    "round": "Next request of a call that was asked back",
}
STATE_INKS: Final = {
    "open": "mcp.badge",
    "answered": "mcp.ok",
    "declined": "mcp.warn",
    "cancelled": "mcp.warn",
    "withdrawn": "mcp.dim",
    "automatic": "mcp.dim",
}
_CAUSES: Final[dict[CauseFrom, str]] = {
    "task": "named by its task",
    "stream": "on its stream",
    "only-call": "the only call running",
    "error": "from its error",
    "result": "asked in its result",
    "unknown": "",
}
_REST: Final = (("asks.decline", "decline"), ("asks.dismiss", "cancel"))
_EDIT: Final = ("asks.edit", "as JSON")
_LATER: Final = ("asks.later", "later")
HINTS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "sampling": (  # as many as fit into 80 columns; F8 cancels it too
        ("asks.accept", "send"),
        ("asks.request", "request"),
        ("asks.decline", "decline"),
        _EDIT,
        _LATER,
    ),
    "elicitation": (("asks.accept", "accept"), *_REST, _EDIT, _LATER),
    "elicitation-url": (
        ("asks.open_page", "open"),
        ("asks.accept", "accept"),
        *_REST,
        _LATER,
    ),
    "roots": (("asks.accept", "answer"), *_REST, _EDIT, _LATER),
    "round": (("asks.accept", "send"), ("asks.decline", "end the call"), _EDIT, _LATER),
}
"""What the keys do to an ask of each kind, while the focus is in its panel."""
TEXT_CAP: Final = 20_000
CONTEXT_DEPRECATED: Final = ("thisServer", "allServers")
"""Values of `includeContext` that servers should send no more (2025-11-25 client/sampling)."""


def heading(ask: Ask, session: "Session", now: float | None = None) -> Text:
    """Two lines: kind; how long it has been open, who asks, and the call that caused it."""
    text = Text()
    text.append(KIND_WORDS[ask.kind], "mcp.title")
    if is_deprecated("client", ask.kind, session.state.revision):
        text.append("  deprecated", "mcp.warn")
    text.append("\n")
    if ask.is_open:
        waited = (session.engine.journal.clock.monotonic() if now is None else now) - ask.opened
        text.append(f"waiting {duration(waited)}", "mcp.badge")
    else:
        text.append(ask.state, STATE_INKS[ask.state])
        if ask.note:
            text.append(f" · {one_line(ask.note, 60)}", "mcp.dim")
    if ask.completed:
        text.append(" · the server reports it complete", "mcp.ok")
    if words := round_words(ask, session.inbox.asks):
        text.append(f" · {words}", "mcp.accent")
    text.append(f" · entry {ask.entry} · ", "mcp.dim")
    name = session.state.server_info.get("name")
    text.append(one_line(as_said(name or "the server"), 32), "mcp.code")
    call = next((call for call in session.calls if call.number == ask.cause), None)
    if call is not None:
        text.append(f" · for {one_line(call.label or call.method, 28)}", "mcp.dim")
        if (words := _CAUSES[ask.cause_from]) and not ask.round:
            text.append(f" ({words})", "mcp.faint")
    else:
        text.append(" · not known for which call", "mcp.dim")
    return text


def round_words(ask: Ask, asks: Iterable[Ask]) -> str:
    """Which round of its call an ask belongs to, and how many questions of it have an answer."""
    asked = ask.key or ask.kind == "round"
    of_round = [one for one in asks if asked and one.key and one.entry == ask.entry]
    done = sum(not one.is_open for one in of_round)
    words = [f"{done} of {len(of_round)} answered"] if len(of_round) > 1 else []
    if ask.round:
        words.append(f"in round {ask.round}" if words else f"round {ask.round}")
    return " ".join(words)


def list_line(ask: Ask, width: int, now: float) -> Text:
    """The ask in a list."""
    text = Text(end="", no_wrap=True)
    text.append(f"#{ask.number:<4}", "mcp.faint")
    text.append(f"{ask.state:<10} ", STATE_INKS[ask.state])
    kind = "elicit page" if ask.kind == "elicitation-url" else ask.kind
    text.append(f"{kind:<12}", "mcp.title" if ask.is_open else "")
    if ask.is_open:
        text.append(f"{duration(now - ask.opened):>6} ", "mcp.badge")
    room = width - text.cell_len
    if room > 3:
        text.append(one_line(gist(ask), room), "mcp.dim")
    return text


def gist(ask: Ask) -> str:
    """The question in a few words, as sent."""
    if ask.kind == "round":
        return f"{ask.method}, round {ask.round}" if ask.round else ask.method
    message = ask.params.get("message")
    if isinstance(message, str):
        return message
    messages = ask.params.get("messages")
    for item in reversed(messages) if isinstance(messages, list) else ():
        content = item.get("content") if isinstance(item, dict) else None
        words = content.get("text") if isinstance(content, dict) else None
        if isinstance(words, str):
            return words
    return ""


def question(ask: Ask, edited: JsonObject | None = None) -> Text:
    """What is asked, for reading; `edited` is what the user made of it."""
    match ask.kind:
        case "sampling" if edited is not None:
            text = Text(f"edited by you; entry {ask.entry} has it as it came\n\n", "mcp.warn")
            return text.append_text(_sampling(edited)).append_text(_no(ask))
        case "sampling":
            return _sampling(ask.params).append_text(_no(ask))
        case "elicitation":
            return inked(as_said(ask.params.get("message", "")))
        case "elicitation-url":
            return _page(ask.params, owed=ask.owed)
        case "roots":
            text = Text("The server wants the list of roots. Answering sends those shown here.")
            return text.append_text(_no(ask))
        case "round":
            return _round(ask)


def _no(ask: Ask) -> Text:
    """What a no to a question in a result does (2026-07-28 basic/patterns/mrtr)."""
    if ask.request_id is not None or not ask.owed or not ask.is_open:
        return Text()
    return Text(
        "\n\nDeclining ends the call: no answer says no to this, so none is sent.", "mcp.dim"
    )


def _round(ask: Ask) -> Text:
    """What the next request of a call would say."""
    text = Text()
    if ask.is_open:
        text.append(f"{ask.method} is sent with this, once you accept.\n\n", "mcp.dim")
    members = raw_members(ask.raw)
    answers = raw_members(members.get("inputResponses", b""))
    for name, value in members.items():
        match name:
            case "inputResponses" if answers:
                text.append(f"{name:<16}", "mcp.title")
                text.append("the answers\n", "mcp.dim")
                for key, answer in answers.items():
                    text.append(f"  {one_line(as_said(key), 24)}  ", "mcp.primary")
                    text.append_text(_exact(answer))
            case "requestState":
                text.append(f"{name:<16}", "mcp.title")
                text.append(
                    f"the server's own, {len(value):,} bytes, goes back as it is\n", "mcp.dim"
                )
                text.append("  ").append_text(_exact(value, "mcp.code"))
            case _:
                text.append(f"{one_line(as_said(name), 24):<16}", "mcp.dim")
                text.append_text(_exact(value, "mcp.dim"))
    for name in ("inputResponses", "requestState"):
        if ask.round and name not in members:
            text.append(f"{name:<16}none\n", "mcp.dim")
    text.rstrip()
    return text


def _exact(value: bytes, ink: str = "") -> Text:
    """JSON as it stands on the wire."""
    return inked(value.decode("utf-8", "backslashreplace"), ink).append("\n")


def _sampling(params: JsonObject) -> Text:
    text = Text()
    for problem in conversation_problems(params):
        text.append("! ", "mcp.warn")
        text.append_text(inked(problem, "mcp.warn"))
        text.append("\n")
    if system := params.get("systemPrompt"):
        text.append("system\n", "mcp.dim")
        text.append_text(inked(as_said(system)))
        text.append("\n\n")
    messages = params.get("messages")
    for item in messages if isinstance(messages, list) else []:
        role = item.get("role") if isinstance(item, dict) else "?"
        text.append(one_line(as_said(role), 20) + "\n", "mcp.primary")
        content = item.get("content") if isinstance(item, dict) else item
        for block in content if isinstance(content, list) else [content]:
            text.append_text(_block(block))
            text.append("\n")
        text.append("\n")
    for key, value in params.items():
        if key not in ("messages", "systemPrompt", "_meta"):
            text.append(f"{one_line(key, 24)}  ", "mcp.dim")
            text.append_text(inked(_brief(value)))
            if key == "includeContext" and value in CONTEXT_DEPRECATED:
                text.append("  deprecated since 2025-11-25", "mcp.warn")
            text.append("\n")
    text.rstrip()
    return text


def _block(block: Json) -> Text:
    if isinstance(block, dict):
        words = block.get("text")
        if block.get("type") == "text" and isinstance(words, str):
            return inked(words)
        if block.get("type") in ("image", "audio"):
            size = len(str(block.get("data", ""))) * 3 // 4
            return inked(f"[{block['type']} {block.get('mimeType', '?')}, about {size:,} bytes]")
    return inked(_brief(block))


def _page(params: JsonObject, *, owed: bool) -> Text:
    url = str(params.get("url", ""))
    text = inked(as_said(params.get("message", "")))
    text.append("\n\nurl   ", "mcp.dim")
    text.append_text(safe_text(url, "mcp.link"))
    try:
        address = check_page(url)
    except UsageError as error:
        text.append(f"\n\nThis page cannot be opened: {error.message}", "mcp.error")
        return text
    text.append("\nhost  ", "mcp.dim")
    text.append_text(safe_text(address.host, "mcp.title"))
    for warning in address.warnings:
        text.append("\n! ", "mcp.warn")
        text.append_text(safe_text(warning, "mcp.warn"))
    text.append("\n\nNothing is opened before you say so.", "mcp.dim")
    if not owed:
        text.append(
            " The call was refused until this is done: afterwards, call again. Nothing is sent"
            " back for it.",
            "mcp.dim",
        )
    return text


def _brief(value: Json) -> str:
    if isinstance(value, str):
        return value
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    except (msgspec.MsgspecError, RecursionError, OverflowError, UnicodeError):
        return "(cannot be shown here; see the traffic)"


def inked(words: str, ink: str = "", cap: int = TEXT_CAP) -> Text:
    """`words` as safe text; what is beyond `cap` characters is told, never laid out."""
    if len(words) > cap:
        shown = safe_text(words[:cap], ink)
        shown.append(f"\n… {len(words) - cap:,} characters more, in the traffic", "mcp.dim")
        return shown
    return safe_text(words, ink)
