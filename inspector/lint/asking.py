"""Rules of what a server asks the user and the model: elicitation (`client/elicitation`) and
sampling (`client/sampling`), on their own or inside an `input_required` result."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from inspector.lint.capabilities import input_requests
from inspector.lint.look import Look
from inspector.lint.rule import Rule, pointer, quoted, rule
from inspector.lint.state import MODERN, declares
from inspector.protocol.messages import Json, JsonObject, MessageKind

_PAGE: Final = "client/elicitation"
_SAMPLING: Final = "client/sampling"
_PRIMITIVES: Final = frozenset({"string", "number", "integer", "boolean"})
ITEMS_JUDGED: Final = 1000

RULES: Final[tuple[Rule, ...]] = (
    rule("elic/schema-nested", "A form asks for more than plain values", _PAGE, error="CDE"),
    rule("elic/secret-field", "A form asks for a secret", _PAGE, warn="CDE"),
    rule("elic/url-http", "A user is sent to an unprotected address", _PAGE, warn="DE"),
    rule("elic/link-in-form", "A form has a link in its text", _PAGE, warn="DE"),
    rule("elic/url-userinfo", "A user is sent to an address with credentials", _PAGE, warn="DE"),
    rule(
        "samp/tool-result-mixed",
        "A message mixes tool results with other content",
        _SAMPLING,
        error="DE",
    ),
    rule(
        "samp/tool-use-unbalanced",
        "A tool use has no result, or the other way round",
        _SAMPLING,
        error="DE",
    ),
    rule(
        "samp/context-undeclared",
        "Context is asked for that the client does not give",
        _SAMPLING,
        warn="DE",
    ),
)

_SECRET: Final = re.compile(
    r"pass(?:word|phrase|wd)|secret|token|api[-_ ]?key|private[-_ ]?key|credential|\bcvv\b", re.I
)
_LINK: Final = re.compile(r"https?://\S+", re.I)


def _asked(look: Look) -> Iterator[tuple[str, str, JsonObject]]:
    """What a message asks the client: place of the params, method, params."""
    if not look.from_server:
        return
    if look.kind is MessageKind.REQUEST:
        yield "/params", look.method, look.params
    elif look.kind is MessageKind.RESULT and look.revision is MODERN:
        for key, each in input_requests(look.result).items():
            method, params = each.get("method"), each.get("params")
            if isinstance(method, str):
                place = pointer("result", "inputRequests", key, "params")
                yield place, method, params if isinstance(params, dict) else {}


def shape(look: Look) -> None:
    """What the schema of a form would say less well."""
    for place, method, params in _asked(look):
        if method == "elicitation/create" and params.get("mode", "form") == "form":
            for name, field in _fields(params):
                if why := _nested(field):
                    look.report(
                        "elic/schema-nested",
                        f"The field {quoted(name)} {why}; a form must be flat, of plain values.",
                        place + pointer("requestedSchema", "properties", name),
                    )


def check(look: Look) -> None:
    """Judges one message."""
    for place, method, params in _asked(look):
        if method == "elicitation/create":
            if params.get("mode", "form") == "form":
                _form(look, place, params)
            else:
                _url(look, place, params)
        elif method == "sampling/createMessage":
            _sampling(look, place, params)


def _fields(params: JsonObject) -> list[tuple[str, JsonObject]]:
    schema = params.get("requestedSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return []
    held = list(properties.items())[:ITEMS_JUDGED]
    return [(name, field) for name, field in held if isinstance(field, dict)]


def _nested(field: JsonObject) -> str:
    kind = field.get("type")
    if kind == "array":
        items = field.get("items")
        plain = isinstance(items, dict) and ("enum" in items or "anyOf" in items)
        return "" if plain else "is a list of other things than choices"
    if kind == "object" or "properties" in field:
        return "is an object"
    if isinstance(kind, str) and kind not in _PRIMITIVES:
        return f"is of type {quoted(kind)}"
    return ""


def _form(look: Look, place: str, params: JsonObject) -> None:
    for name, field in _fields(params):
        title = field.get("title")
        if _SECRET.search(name) or (isinstance(title, str) and _SECRET.search(title)):
            look.report(
                "elic/secret-field",
                f"The form asks for {quoted(name)}; servers must not ask for secrets in a form.",
                place + pointer("requestedSchema", "properties", name),
            )
    message = params.get("message")
    if isinstance(message, str) and (link := _LINK.search(message)):
        look.report(
            "elic/link-in-form",
            f"The text of the form has the link {quoted(link[0])}; a user should be sent somewhere"
            " by mode url only.",
            place + "/message",
        )


def _url(look: Look, place: str, params: JsonObject) -> None:
    url = params.get("url")
    if not isinstance(url, str):
        return
    try:
        parts = urlsplit(url)
        host, user = parts.hostname or "", parts.username
    except ValueError:
        return
    if parts.scheme == "http" and host not in ("localhost", "127.0.0.1", "::1"):
        look.report("elic/url-http", f"{quoted(url)} should be an https address.", place + "/url")
    if user is not None:
        look.report(
            "elic/url-userinfo",
            f"{quoted(url)} has a user name in it, which must not carry anything about the user.",
            place + "/url",
        )


def _sampling(look: Look, place: str, params: JsonObject) -> None:
    context = params.get("includeContext", "none")
    declared = look.state.capabilities(look.asked)
    if context != "none" and not declares(declared, "sampling", "context"):
        look.report(
            "samp/context-undeclared",
            f"includeContext is {quoted(context)}, and the client did not declare sampling.context;"
            " it should be left out.",
            place + "/includeContext",
        )
    messages = params.get("messages")
    open_uses: set[str] = set()
    for index, message in enumerate(messages[:ITEMS_JUDGED] if isinstance(messages, list) else ()):
        blocks = _blocks(message)
        where = place + pointer("messages", index, "content")
        results = [each for each in blocks if each.get("type") == "tool_result"]
        if results and len(results) != len(blocks):
            look.report(
                "samp/tool-result-mixed",
                "A message with tool results must have nothing but tool results.",
                where,
            )
        answered = {str(each.get("toolUseId")) for each in results}
        if answered != open_uses:
            odd = sorted(answered ^ open_uses)[0]
            look.report(
                "samp/tool-use-unbalanced",
                f"Each tool use must be followed by its result in the next message; {quoted(odd)}"
                " is not.",
                where,
            )
            return
        open_uses = {str(each.get("id")) for each in blocks if each.get("type") == "tool_use"}
    if open_uses:
        look.report(
            "samp/tool-use-unbalanced",
            f"The tool use {quoted(sorted(open_uses)[0])} has no result.",
            place + "/messages",
        )


def _blocks(message: Json) -> list[JsonObject]:
    content = message.get("content") if isinstance(message, dict) else None
    listed = content if isinstance(content, list) else [content]
    return [each for each in listed if isinstance(each, dict)]
