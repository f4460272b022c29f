"""Rules of resources, prompts and completion (`server/resources`, `server/prompts`,
`server/utilities/completion`)."""

import re
from dataclasses import dataclass, field
from typing import Final

from inspector.journal.recent import Recent
from inspector.lint import offered
from inspector.lint.look import Look
from inspector.lint.rule import Rule, pointer, quoted, rule
from inspector.lint.state import CROSSING, MODERN
from inspector.protocol.codes import INVALID_PARAMS, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND
from inspector.protocol.messages import Json, MessageKind

_PAGE: Final = "server/resources"
_PROMPTS: Final = "server/prompts"
ITEMS_JUDGED: Final = 10_000
MOST_VALUES: Final = 100

RULES: Final[tuple[Rule, ...]] = (
    rule("res/uri-invalid", "A resource's address is no URI", _PAGE, error="ABCDE"),
    rule("res/text-and-blob", "Contents have both text and blob", _PAGE, error="ABCDE"),
    rule(
        "res/not-found-code",
        "A missing resource has another error code",
        _PAGE,
        warn="ABCD",
        error="E",
    ),
    rule("res/empty-not-found", "A missing resource is told as empty contents", _PAGE, error="E"),
    rule("res/template-syntax", "A resource template is not valid", _PAGE, error="ABCDE"),
    rule(
        "res/updated-unsubscribed",
        "An update comes of what nobody subscribed to",
        _PAGE,
        warn="ABCD",
    ),
    rule(
        "prompt/missing-arg-code",
        "A missing argument has another error code",
        _PROMPTS,
        warn="ABCDE",
    ),
    rule("prompt/role", "A prompt's message has an unknown role", _PROMPTS, error="ABCDE"),
    rule(
        "comp/too-many",
        "A completion has more than 100 values",
        "server/utilities/completion",
        error="ABCDE",
    ),
)

_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^\s<>\"{}|\\^`\x00-\x1f\x7f]*")
_EXPRESSION: Final = re.compile(
    r"[+#./;?&]?[A-Za-z0-9_.%]+(?::[1-9][0-9]{0,3}|\*)?(?:,[A-Za-z0-9_.%]+(?::[1-9][0-9]{0,3}|\*)?)*"
)
_MISSING: Final = re.compile(
    r"not found|unknown (?:resource|uri)|no such|(?:does not|doesn't|not) exist|no resource"
    r"|(?:cannot|can't|could not|couldn't|unable to) (?:be )?f(?:i|ou)nd|\bENOENT\b",
    re.I,
)
_ELSE: Final = re.compile(r"session|method|capabilit|malformed|invalid uri|scheme", re.I)
"""What tells of something else that is missing, or wrong."""
_ROLES: Final = ("user", "assistant")


@dataclass(slots=True)
class _Kept:
    subscribed: set[str] = field(default_factory=set)
    left_at: float = float("-inf")
    left_by: int | None = None
    """When the last subscription ended, and the exchange that said so."""
    required: Recent[str, tuple[str, ...]] = field(default_factory=Recent)


def shape(look: Look) -> None:
    """What the schema of a message would say less well, or not at all."""
    if look.answers("resources/list"):
        for place, item in _items(look, "resources"):
            _uri(look, place + "/uri", item.get("uri"))
    elif look.answers("resources/templates/list"):
        for place, item in _items(look, "resourceTemplates"):
            _template(look, place + "/uriTemplate", item.get("uriTemplate"))
    elif look.answers("resources/read"):
        for place, item in _items(look, "contents"):
            _uri(look, place + "/uri", item.get("uri"))
            if "text" in item and "blob" in item:
                look.report(
                    "res/text-and-blob", "Contents must have either text or blob, not both.", place
                )
    elif look.answers("prompts/get"):
        for place, item in _items(look, "messages"):
            if item.get("role") not in _ROLES:
                look.report(
                    "prompt/role",
                    f'The role is {quoted(item.get("role"))}, it must be "user" or "assistant".',
                    place + "/role",
                )
    elif look.answers("completion/complete"):
        match look.result.get("completion"):
            case {"values": [*values]} if len(values) > MOST_VALUES:
                look.report(
                    "comp/too-many",
                    f"A completion must have at most {MOST_VALUES} values, this has {len(values)}.",
                    "/result/completion/values",
                )
            case _:
                pass


def check(look: Look) -> None:
    """Judges one message and remembers subscriptions and prompts."""
    kept = look.state.held(_Kept)
    if look.answers("resources/read"):
        _read(look)
    elif look.answers("prompts/list"):
        for _, item in _items(look, "prompts"):
            _prompt(kept, item)
    elif look.kind is MessageKind.ERROR and look.method == "resources/read":
        _not_found(look)
    elif look.kind is MessageKind.ERROR and look.method == "prompts/get":
        _prompt_refused(look, kept)
    elif look.method == "resources/subscribe" and look.kind is MessageKind.REQUEST:
        if len(kept.subscribed) < ITEMS_JUDGED:
            kept.subscribed.add(str(look.params.get("uri")))
    elif look.answers("resources/unsubscribe") and look.asked is not None:
        kept.subscribed.discard(str(look.asked.params.get("uri")))
        kept.left_at, kept.left_by = look.at, look.carrier
    elif look.method == "notifications/resources/updated" and look.from_server:
        _updated(look, kept)


def _items(look: Look, member: str) -> "list[tuple[str, dict[str, Json]]]":
    items = look.result.get(member)
    listed = items[:ITEMS_JUDGED] if isinstance(items, list) else []
    return [
        (pointer("result", member, index), item)
        for index, item in enumerate(listed)
        if isinstance(item, dict)
    ]


def _uri(look: Look, place: str, uri: Json) -> None:
    if isinstance(uri, str) and not _URI.fullmatch(uri):
        look.report(
            "res/uri-invalid",
            f"{quoted(uri)} must be a URI: a scheme, a colon, and no spaces or controls.",
            place,
        )


def _template(look: Look, place: str, template: Json) -> None:
    if not isinstance(template, str):
        return
    why, depth = "", 0
    for part in re.split(r"([{}])", template):
        if part == "{":
            depth += 1
        elif part == "}":
            depth -= 1
        elif depth == 1 and not _EXPRESSION.fullmatch(part):
            why = why or f"{{{part}}} is no expression"
        if depth not in (0, 1):
            why = why or "its braces do not pair"
            break
    if depth:
        why = why or "its braces do not pair"
    if why:
        look.report(
            "res/template-syntax",
            f"{quoted(template)} must be a URI template of RFC 6570: {why}.",
            place,
        )


def _read(look: Look) -> None:
    if look.revision is MODERN and look.result.get("contents") == []:
        look.report(
            "res/empty-not-found",
            "The contents are empty; a resource that does not exist must be an error -32602.",
            "/result/contents",
            look.asked.number if look.asked else 0,
        )


def _not_found(look: Look) -> None:
    code, message = look.error.get("code"), look.error.get("message")
    wanted = INVALID_PARAMS if look.revision is MODERN else RESOURCE_NOT_FOUND
    if code in (wanted, METHOD_NOT_FOUND) or not isinstance(message, str) or _ELSE.search(message):
        return
    uri = look.asked.params.get("uri") if look.asked is not None else None
    if _MISSING.search(message) or (isinstance(uri, str) and offered.unheard_of(look, uri)):
        look.report(
            "res/not-found-code",
            f"A resource that is not found has the code {wanted} in this revision, not {code}.",
            "/error/code",
            look.asked.number if look.asked else 0,
        )


def _updated(look: Look, kept: _Kept) -> None:
    uri = look.params.get("uri")
    if look.revision is MODERN or not isinstance(uri, str):
        return
    if look.carrier != kept.left_by and look.at - kept.left_at < CROSSING:
        return
    # An update may be of something inside what was subscribed to.
    if not any(uri.startswith(each) for each in kept.subscribed):
        look.report(
            "res/updated-unsubscribed",
            f"{quoted(uri)} is told to be updated, and nobody subscribed to it.",
            "/params/uri",
        )


def _prompt(kept: _Kept, item: "dict[str, Json]") -> None:
    name, arguments = item.get("name"), item.get("arguments")
    if isinstance(name, str) and isinstance(arguments, list):
        needed = [
            str(each.get("name"))
            for each in arguments
            if isinstance(each, dict) and each.get("required") is True
        ]
        kept.required.put(name, tuple(needed))


def _prompt_refused(look: Look, kept: _Kept) -> None:
    asked, code = look.asked, look.error.get("code")
    name = asked.params.get("name") if asked is not None else None
    if asked is None or not asked.whole or not isinstance(name, str) or code == INVALID_PARAMS:
        return
    given = asked.params.get("arguments")
    named = given if isinstance(given, dict) else {}
    missing = [each for each in kept.required.get(name) or () if each not in named]
    if missing:
        look.report(
            "prompt/missing-arg-code",
            f"The argument {quoted(missing[0])} is missing, which should have the code"
            f" {INVALID_PARAMS}, not {code}.",
            "/error/code",
            asked.number,
        )
