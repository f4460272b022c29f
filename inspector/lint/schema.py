"""Rules about the schema of a message: what its revision allows, what only a later one has, which
methods there are, and what `_meta` may be (page `basic`).

Decides by the tables of `inspector.protocol`; a place that another rule has spoken of is left out.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from inspector.lint.look import Look
from inspector.lint.rule import Rule, pointer, quoted, rule
from inspector.lint.state import MODERN
from inspector.protocol.messages import Json, JsonObject, MessageKind
from inspector.protocol.methods import METHODS, allowed, introduced_in
from inspector.protocol.shape_check import ShapeChecker, ShapeProblem
from inspector.protocol.shapes import fields_of, introduced, params_type, type_of_message
from inspector.protocol.versions import REVISIONS, Revision

_ALL: Final = "ABCDE"
_LISTS: Final = {
    "tools/list": ("tools", "Tool"),
    "resources/list": ("resources", "Resource"),
    "resources/templates/list": ("resourceTemplates", "ResourceTemplate"),
    "prompts/list": ("prompts", "Prompt"),
}
ITEMS_JUDGED: Final = 2000
_ANYWHERE: Final = frozenset({"_meta"})
"""Params and results of all revisions may have it, though not all schemas say so of all types."""

RULES: Final[tuple[Rule, ...]] = (
    rule("schema/invalid", "A message breaks its revision's schema", "basic", error=_ALL),
    rule("schema/future-field", "A field is of a later revision", "basic", info="ABCD"),
    rule("schema/unknown-method", "A method is of no revision", "basic", warn=_ALL),
    rule("schema/removed-method", "A method was removed", "basic", error="E"),
    rule("meta/key-syntax", "A key of _meta is not well-formed", "basic", error="CDE"),
    rule("meta/reserved-prefix", "A key of _meta has a reserved prefix", "basic", warn="CDE"),
    rule("meta/trace-format", "A trace context in _meta is not well-formed", "basic", warn="E"),
)

_NAME: Final = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?)?")
_LABEL: Final = re.compile(r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?")
_RESERVED: Final = frozenset({"modelcontextprotocol", "mcp"})
_TRACEPARENT: Final = re.compile(
    r"[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}.*"
)


def method(look: Look) -> None:
    """Whether the revision has the method."""
    name = look.envelope.method
    if not name or _allowed(name, look.revision):
        return
    row = METHODS.get(name)
    if row is None:
        look.report(
            "schema/unknown-method",
            f"No revision has the method {quoted(name)}.",
            "/method",
        )
        return
    first = introduced_in(name)
    if look.revision is MODERN:
        # A request of the server is told as such, whatever its method.
        if not (look.from_server and look.kind is MessageKind.REQUEST):
            look.report(
                "schema/removed-method",
                f"This revision has no method {quoted(name)} any more.",
                "/method",
            )
    elif first is not None and first > look.revision:
        look.report(
            "schema/future-field",
            f"The method {quoted(name)} is only known since {first}.",
            "/method",
        )


def shape(look: Look, checker: ShapeChecker) -> None:
    """The strict verdict; makes the message unsound where it is bad."""
    value: JsonObject = look.value
    if look.kind is MessageKind.ERROR:
        value = {**value, "id": 0}
    problems = checker.check_message(look.kind, look.method, value)
    rest = [each for each in problems or () if not _is_claimed(each, look.claimed)]
    if not rest:
        return
    first, more = rest[0], len(rest) - 1
    what = f"{first.pointer or 'The message'} {first.message}"
    also = f" ({more} more like it)" if more else ""
    look.report("schema/invalid", f"{what}, by the schema of {look.revision}{also}.", first.pointer)
    look.sound = False


def _is_claimed(problem: ShapeProblem, claimed: list[str]) -> bool:
    place = problem.pointer
    if lacking := re.fullmatch(r'lacks the member "(.*)"', problem.message):
        place += pointer(lacking[1])
    return any(place == each or place.startswith(each + "/") for each in claimed if each)


def future(look: Look) -> None:
    """Fields that only a later revision defines, at the places where peers put them."""
    if look.revision is MODERN:
        return
    if look.kind in (MessageKind.REQUEST, MessageKind.NOTIFICATION):
        if look.params and (name := _inner(look.kind, look.method, look.revision)):
            _future(look, name, look.params, "/params", _ANYWHERE)
    elif look.kind is MessageKind.RESULT and look.asked is not None:
        if name := _inner(look.kind, look.method, look.revision):
            _future(look, name, look.result, "/result", _ANYWHERE)
        member, name = _LISTS.get(look.method, ("", ""))
        items = look.result.get(member) if member else None
        for index, item in enumerate(items[:ITEMS_JUDGED] if isinstance(items, list) else ()):
            if isinstance(item, dict) and _future(
                look, name, item, pointer("result", member, index)
            ):
                return


def _future(
    look: Look,
    type_name: str,
    value: JsonObject,
    place: str,
    anyway: frozenset[str] = frozenset(),
) -> bool:
    known = _known(type_name, look.revision)
    for name in value:
        if name in known or name in anyway:
            continue
        later = _since(type_name, name, look.revision)
        if later is not None:
            look.report(
                "schema/future-field",
                f"The field {quoted(name)} is only known since {later}.",
                place + pointer(name),
            )
            return True
    return False


def _allowed(method: str, revision: Revision) -> bool:
    return method in METHODS and _of_revision(method, revision)


@lru_cache(maxsize=1024)
def _of_revision(method: str, revision: Revision) -> bool:
    return allowed(method, revision)


def _inner(kind: MessageKind, method: str, revision: Revision) -> str | None:
    """The type of the params of a method, or of its result."""
    # A cache that knows what a server made up would keep texts of any length.
    return _inner_of(kind, method if method in METHODS else "", revision)


@lru_cache(maxsize=1024)
def _inner_of(kind: MessageKind, method: str, revision: Revision) -> str | None:
    if kind is MessageKind.RESULT:
        return type_of_message(kind, method, revision)
    return params_type(method, revision)


@lru_cache(maxsize=1024)
def _known(type_name: str, revision: Revision) -> frozenset[str]:
    return frozenset(field.name for field in fields_of(type_name, revision))


def _since(type_name: str, field: str, revision: Revision) -> Revision | None:
    later = introduced(type_name, field)
    return later if later is not None and revision < later <= REVISIONS[-1] else None


def meta(look: Look) -> None:
    """The keys of `_meta`, and the trace context in it."""
    for place, holder in (("/params", look.params), ("/result", look.result)):
        held = holder.get("_meta")
        if not isinstance(held, dict):
            continue
        for key, value in list(held.items())[:ITEMS_JUDGED]:
            if key in _OWN_KEYS or key == "progressToken":
                continue
            where = f"{place}/_meta{pointer(key)}"
            if why := _syntax(key):
                look.report("meta/key-syntax", f"The key {quoted(key)} of _meta {why}.", where)
            elif _is_reserved(key, look.revision) and not _is_known(key):
                look.report(
                    "meta/reserved-prefix",
                    f"The prefix of {quoted(key)} is reserved for MCP, and this key is none of"
                    " its own.",
                    where,
                )
            elif key == "traceparent" and not _is_traceparent(value):
                look.report(
                    "meta/trace-format",
                    "traceparent should be as the W3C Trace Context says (00-…-…-01).",
                    where,
                )


def _syntax(key: str) -> str:
    prefix, slash, name = key.rpartition("/")
    if slash and not all(_LABEL.fullmatch(label) for label in prefix.split(".")):
        return "must have a prefix of dotted labels (each of letters, digits and hyphens)"
    if not _NAME.fullmatch(name):
        return "must have a name of letters, digits, hyphens, underscores and dots"
    return ""


def _is_reserved(key: str, revision: Revision) -> bool:
    prefix, slash, _ = key.rpartition("/")
    labels = prefix.split(".")
    if not slash or len(labels) < 2:
        return False
    if revision <= REVISIONS[2]:
        return any(label in _RESERVED for label in labels[:-1])
    return labels[1] in _RESERVED


def _is_known(key: str) -> bool:
    return key in _OWN_KEYS


def _own_keys() -> Iterator[str]:
    prefix = "io.modelcontextprotocol/"
    for name in (
        "protocolVersion", "clientCapabilities", "clientInfo", "logLevel", "subscriptionId",
        "serverInfo", "related-task", "model-immediate-response", "tasks",
    ):  # fmt: skip
        yield prefix + name


_OWN_KEYS: Final = frozenset(_own_keys())


def _is_traceparent(value: Json) -> bool:
    return isinstance(value, str) and _TRACEPARENT.fullmatch(value) is not None
