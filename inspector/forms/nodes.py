"""One field as it is filled in, and what it sends.

Decides what typed text means for its kind of field. How nodes are made and changed is decided by
`inspector.forms.values`, how an existing value is read into them by `inspector.forms.loading`.

Wrong text is no obstacle: "abc" in an integer field goes out as the string "abc". An empty number
field, an enum without a choice and an empty JSON part go out as nothing (inside a list, as null).
"""

from enum import Enum
from typing import Final

from inspector.errors import UsageError
from inspector.forms.fields import Field, Kind
from inspector.forms.jsontext import (
    INTEGER,
    NUMBER,
    JsonTextError,
    check,
    compact,
    dump,
    number,
    parse,
    text_value,
)
from inspector.forms.problems import pointer_of
from inspector.protocol.messages import Json, RawJson, Sendable

TEXT_KINDS: Final = frozenset({Kind.STRING, Kind.INTEGER, Kind.NUMBER, Kind.ANY})


class Presence(Enum):
    """Whether a part is sent, and as what."""

    OMITTED = "omitted"
    NULL = "null"
    VALUE = "value"


class Nothing(Enum):
    NOTHING = 0


NOTHING: Final = Nothing.NOTHING


class Node:
    """One field as it is filled in at present; changed through `FormState` only.

    `json` is its text while it is edited as JSON (with the reason in `why`), None otherwise.
    `choice` is an option, a variant or a boolean (-1: none yet), `chosen` the options of a MULTI.
    `children` are properties and then entries of an object, items of a list, or the one
    alternative of a choice. `extra` marks an entry that is no declared property.
    """

    __slots__ = (
        "children", "choice", "chosen", "extra", "field", "filled", "json", "key", "parent",
        "presence", "text", "variants", "why",
    )  # fmt: skip

    def __init__(self, field: Field, parent: "Node | None", key: str = "") -> None:
        self.field = field
        self.parent = parent
        self.key = key or field.name
        self.presence = Presence.OMITTED
        self.extra = False
        self.clear()

    def clear(self) -> None:
        """Forgets everything that was filled in, but not the presence."""
        self.filled = False
        self.text = ""
        self.json: str | None = None
        self.why = ""
        self.choice = -1
        self.chosen: list[int] = []
        self.children: list[Node] = []
        self.variants: dict[int, Node] = {}

    @property
    def path(self) -> tuple[str | int, ...]:
        """Keys and indexes from the root; a choice adds none."""
        steps: list[str | int] = []
        node = self
        while (parent := node.parent) is not None:
            if parent.field.kind is Kind.OBJECT:
                steps.append(node.key)
            elif parent.field.kind is Kind.ARRAY:
                steps.append(parent.children.index(node))
            node = parent
        return tuple(reversed(steps))

    @property
    def pointer(self) -> str:
        """The JSON pointer of this part in the whole value."""
        return pointer_of(self.path)

    @property
    def is_item(self) -> bool:
        """Whether it can be removed and moved: an item of a list."""
        return self.parent is not None and self.parent.field.kind is Kind.ARRAY

    @property
    def can_omit(self) -> bool:
        """Whether it can be left out: not the root, no item, no alternative."""
        return self.parent is not None and self.parent.field.kind is Kind.OBJECT

    @property
    def is_text(self) -> bool:
        """Whether it is filled in by typing on one line."""
        return self.json is None and self.field.kind in TEXT_KINDS


def collect(node: Node, *, strict: bool) -> Sendable | Nothing:
    """What a part sends; `strict` raises UsageError for broken JSON, else it goes in as typed."""
    if node.presence is Presence.OMITTED:
        return NOTHING
    if node.presence is Presence.NULL:
        return None
    if node.json is not None:
        return _json_value(node, strict=strict)
    match node.field.kind:
        case Kind.STRING:
            return text_value(node.text)
        case Kind.INTEGER | Kind.NUMBER:
            return number_value(node.text)
        case Kind.ANY:
            return any_value(node.text)
        case Kind.BOOLEAN:
            return bool(node.choice) if node.choice >= 0 else NOTHING
        case Kind.CONST | Kind.ENUM:
            options = node.field.options
            return _sendable(options[node.choice].value) if node.choice >= 0 else NOTHING
        case Kind.MULTI:
            return [_sendable(node.field.options[index].value) for index in node.chosen]
        case Kind.ARRAY:
            items = [collect(child, strict=strict) for child in node.children]
            return [None if item is NOTHING else item for item in items]
        case Kind.OBJECT:
            return _object(node, strict=strict)
        case Kind.CHOICE:
            return collect(node.children[0], strict=strict) if node.children else NOTHING
        case Kind.NULL | Kind.JSON:
            return None if node.field.kind is Kind.NULL else NOTHING


def _object(node: Node, *, strict: bool) -> Sendable:
    pairs: dict[str, Sendable] = {}
    for child in node.children:
        value = collect(child, strict=strict)
        if value is not NOTHING:
            pairs[child.key] = value
    if all(isinstance(text_value(key), str) for key in pairs):
        return pairs
    return RawJson(dump(pairs).encode())


def _sendable(value: Json) -> Sendable:
    """An option's value in a shape that can be encoded: lone surrogates only as raw text."""
    if isinstance(value, str):
        return text_value(value)
    return RawJson(dump(value).encode()) if isinstance(value, list | dict) else value


def _json_value(node: Node, *, strict: bool) -> Sendable | Nothing:
    text = (node.json or "").strip()
    if not text:
        return NOTHING
    if strict and (reason := check(text)):
        where = node.pointer or "the form"
        raise UsageError(f"{where}: {reason}", hint="correct the JSON, or go back to the fields")
    if NUMBER.fullmatch(text):
        return number(text)
    return RawJson(compact(text).encode("utf-8", "backslashreplace"))


def number_value(text: str) -> Sendable | Nothing:
    """What text in a number field means: its number, nothing where empty, else the text itself."""
    token = text.strip()
    if not token:
        return text if text else NOTHING
    return number(token) if NUMBER.fullmatch(token) else text_value(text)


def any_value(text: str) -> Sendable | Nothing:
    """What text in an untyped field means: JSON if it is JSON, else the text itself."""
    if not text:
        return NOTHING
    try:
        parse(text)
    except JsonTextError:
        return text_value(text)
    return (
        number(text.strip())
        if NUMBER.fullmatch(text.strip())
        else RawJson(compact(text.strip()).encode())
    )


def problem_of(node: Node) -> str:
    """What is wrong with one part as typed, "" where nothing is."""
    field = node.field
    if node.presence is Presence.OMITTED:
        return "required" if field.required else ""
    if node.presence is Presence.NULL:
        return ""
    if node.json is not None:
        if not node.json.strip():
            return "required" if field.required else ""
        return check(node.json)
    if field.kind in (Kind.INTEGER, Kind.NUMBER):
        token = node.text.strip()
        if not token:
            return "required" if field.required else "empty: nothing is sent"
        pattern = INTEGER if field.kind is Kind.INTEGER else NUMBER
        if not NUMBER.fullmatch(token):
            return f"no {field.kind.value}: goes out as a string"
        if not pattern.fullmatch(token) and not _whole(token):
            return "no integer"
    if field.kind in (Kind.ENUM, Kind.BOOLEAN) and node.choice < 0 and field.required:
        return "required"
    if field.kind is Kind.ANY and not node.text and field.required:
        return "required"
    return ""


def _whole(token: str) -> bool:
    """1.0 and 1e3 are integers to JSON Schema; a huge exponent is left to the validator."""
    return len(token) > 30 or "e" in token.lower() or float(token).is_integer()
