"""Reading an existing value into a form without losing any of it.

Decides which alternative of a choice a value belongs to and which parts the fields cannot express:
those become JSON parts holding the very text, with the reason. Bounded in depth and in number of
fields, beyond which a part is JSON too.
"""

from collections.abc import Mapping
from typing import Final

from inspector.forms.fields import Field, Kind
from inspector.forms.jsontext import JsonTextError, dump, opened, same, seen, seen_lines, token_of
from inspector.forms.nodes import Node, Presence, any_value, collect, number_value
from inspector.forms.tree import Form
from inspector.protocol.messages import RawJson, Sendable

DEPTH_LIMIT: Final = 32
CHILD_LIMIT: Final = 500
NODE_LIMIT: Final = 5000
FIT_LIMIT: Final = 2000
"""Fields that may be looked at to find the alternative of one choice."""


FIT_TOTAL: Final = 50_000
"""The same for all choices of one value together; after that the first alternative is as good."""


class Loader:
    """Reads values into nodes; `losses` tells which parts became JSON, and why."""

    def __init__(self, form: Form, limit: int = NODE_LIMIT) -> None:
        self.form = form
        self.losses: list[str] = []
        self._left = limit
        self._fit_left = 0
        self._fit_total = FIT_TOTAL

    def load(self, node: Node, value: Sendable, depth: int = 0) -> None:
        """Fills `node` with `value`, whatever both are."""
        node.clear()
        node.filled = True
        node.presence = Presence.VALUE
        self._left -= 1
        try:
            inner = opened(value)
        except JsonTextError as error:
            self._as_json(node, value, str(error))
            return
        if inner is None:
            node.presence = Presence.NULL
            node.filled = False
        elif depth > DEPTH_LIMIT or self._left < 0:
            self._as_json(node, value, "too much for fields")
        elif why := self._fill(node, inner, depth):
            self._as_json(node, value, why)

    def carry_over(self, before: Node, after: Node) -> None:
        """Keeps what the alternative left shares by name with the one that was chosen."""
        if before.is_text and after.is_text and before.text and not after.text:
            after.text = before.text
        if before.field.kind is not Kind.OBJECT or after.field.kind is not Kind.OBJECT:
            return
        named = {child.key: child for child in before.children if before.json is None}
        for child in after.children:
            old = named.get(child.key)
            if old is None or child.field.kind is Kind.CONST or old.field.kind is Kind.CONST:
                continue
            if old.presence is Presence.VALUE:
                value = collect(old, strict=False)
                if isinstance(value, str | int | float | list | dict | RawJson):
                    self.load(child, value)
            elif child.can_omit and not child.field.required:
                child.presence = old.presence

    def _as_json(self, node: Node, value: Sendable, why: str) -> None:
        node.clear()
        node.filled = False
        node.json, node.why = dump(value, indent=2), why
        if node.field.kind is not Kind.JSON:
            self.losses.append(f"{node.pointer or 'the whole value'}: {why}")

    def _fill(self, node: Node, value: Sendable, depth: int) -> str:
        """Fills a node by its kind; says why when the kind cannot hold the value."""
        kind = node.field.kind
        match kind:
            case Kind.STRING:
                if not isinstance(value, str):
                    return "not a string"
                node.text = value
                return "" if seen_lines(value) else "has characters that do not show"
            case Kind.INTEGER | Kind.NUMBER:
                node.text = token_of(value) or (value if isinstance(value, str) else "")
                kept = node.text and seen(node.text) and same_text(number_value(node.text), value)
                return "" if kept else f"not {'an integer' if kind is Kind.INTEGER else 'a number'}"
            case Kind.ANY:
                node.text = value if isinstance(value, str) and seen(value) else dump(value)
                if not same_text(any_value(node.text), value):
                    node.text = dump(value)
                return ""
            case Kind.BOOLEAN:
                node.choice = int(value) if isinstance(value, bool) else -1
                return "" if isinstance(value, bool) else "not a boolean"
            case Kind.CONST | Kind.ENUM:
                node.choice = _option(node.field, value)
                return "" if node.choice >= 0 else "none of the values that the schema lists"
            case Kind.MULTI:
                return _fill_multi(node, value)
            case Kind.OBJECT:
                return self._fill_object(node, value, depth)
            case Kind.ARRAY:
                return self._fill_array(node, value, depth)
            case Kind.CHOICE:
                return self._fill_choice(node, value, depth)
            case Kind.NULL:
                return "not null"
            case Kind.JSON:
                return node.field.why or "edited as JSON"

    def _fill_object(self, node: Node, value: Sendable, depth: int) -> str:
        if not isinstance(value, Mapping):
            return "not an object"
        if len(value) > CHILD_LIMIT:
            return f"has {len(value)} entries"
        fields = self.form.properties(node.field)
        self._left -= len(fields)
        for field in fields:
            child = Node(field, node)
            node.children.append(child)
            if field.name in value:
                self.load(child, value[field.name], depth + 1)
        declared = {child.key for child in node.children}
        for key, item in value.items():
            if key not in declared:
                child = Node(self.form.entry(node.field, key), node)
                child.key, child.extra = key, True
                node.children.append(child)
                self.load(child, item, depth + 1)
        return ""

    def _fill_array(self, node: Node, value: Sendable, depth: int) -> str:
        if not isinstance(value, list | tuple):
            return "not a list"
        if len(value) > CHILD_LIMIT:
            return f"has {len(value)} items"
        for index, item in enumerate(value):
            child = Node(self.form.item(node.field, index), node)
            node.children.append(child)
            self.load(child, item, depth + 1)
        return ""

    def _fill_choice(self, node: Node, value: Sendable, depth: int) -> str:
        best, best_score = -1, -1
        for index, variant in enumerate(self.form.variants(node.field)):
            self._fit_left = min(FIT_LIMIT, self._fit_total)
            score = self._fit(variant, value, 0)
            self._fit_total -= FIT_LIMIT - max(0, self._fit_left)
            if score > best_score:
                best, best_score = index, score
        if best < 0:
            return "fits none of the alternatives"
        child = Node(self.form.variants(node.field)[best], node)
        node.choice, node.children, node.variants = best, [child], {best: child}
        self.load(child, value, depth + 1)
        return ""

    def _fit(self, field: Field, value: Sendable, depth: int) -> int:
        """How well a value fits a field by its looks: -1 not at all, more is better."""
        self._fit_left -= 1
        if self._fit_left < 0 or self.form.spent:
            return 0
        try:
            value = opened(value)
        except JsonTextError:
            return -1
        match field.kind:
            case Kind.ANY | Kind.JSON:
                return 0
            case _ if value is None:
                return 2 if field.nullable or field.kind is Kind.NULL else -1
            case Kind.CONST | Kind.ENUM:
                return 4 if _option(field, value) >= 0 else -1
            case Kind.STRING:
                return 2 if isinstance(value, str) else -1
            case Kind.BOOLEAN:
                return 2 if isinstance(value, bool) else -1
            case Kind.NUMBER | Kind.INTEGER:
                token = token_of(value)
                whole = token.lstrip("-").isdigit()
                if not token:
                    return -1
                return 1 if field.kind is Kind.NUMBER else 3 if whole else 0
            case Kind.ARRAY | Kind.MULTI:
                return self._fit_items(field, value, depth)
            case Kind.OBJECT:
                return self._fit_object(field, value, depth)
            case Kind.CHOICE if depth < 3:
                fits = [self._fit(one, value, depth + 1) for one in self.form.variants(field)]
                return max(fits, default=-1)
            case _:
                return 0

    def _fit_items(self, field: Field, value: Sendable, depth: int) -> int:
        if not isinstance(value, list | tuple):
            return -1
        if field.kind is Kind.MULTI:
            return 2 if all(_option(field, item) >= 0 for item in value[:CHILD_LIMIT]) else 0
        if not value or depth >= 3:
            return 1
        return 2 if self._fit(self.form.item(field, 0), value[0], depth + 1) >= 0 else 0

    def _fit_object(self, field: Field, value: Sendable, depth: int) -> int:
        if not isinstance(value, Mapping):
            return -1
        score = 10
        for child in self.form.properties(field):
            if child.name not in value:
                score -= 3 if child.required else 0
            elif depth < 3 and self._fit_left > 0:
                fit = self._fit(child, value[child.name], depth + 1)
                if fit < 0 and child.kind is Kind.CONST:
                    return 0
                score += fit if fit < 5 else 5
            else:
                score += 1
        return max(score, 1)


def same_text(one: object, other: Sendable) -> bool:
    """Whether a text stands for exactly `other`; nothing stands for nothing."""
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return isinstance(one, int | float | RawJson) and same(one, other)


def _option(field: Field, value: Sendable) -> int:
    spelt = dump(value)
    for index, option in enumerate(field.options):
        if isinstance(option.value, str):
            if option.value == value:
                return index
        elif not isinstance(value, str) and dump(option.value) == spelt:
            return index
    return -1


def _fill_multi(node: Node, value: Sendable) -> str:
    if not isinstance(value, list | tuple):
        return "not a list"
    if len(value) > len(node.field.options):
        return "lists a value twice or one that the schema does not offer"
    chosen = [_option(node.field, item) for item in value]
    if -1 in chosen or len(set(chosen)) < len(chosen):
        return "lists a value twice or one that the schema does not offer"
    node.chosen = chosen
    return ""
