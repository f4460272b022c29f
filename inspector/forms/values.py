"""What is in a form: each field's state, from text to value and back.

Decides what typed text means for its field, what is sent for it, and how a form is changed:
filled, emptied, grown, reordered. Reading an existing value into the fields is
`inspector.forms.loading`; the verdict of the schema is `inspector.forms.validate`.
"""

from typing import Final

from inspector.errors import UsageError
from inspector.forms.fields import Field, Kind
from inspector.forms.jsontext import JsonTextError, dump, parse
from inspector.forms.loading import Loader
from inspector.forms.nodes import NOTHING, Node, Nothing, Presence, collect, problem_of
from inspector.forms.problems import Problem
from inspector.forms.schema import SPENT
from inspector.forms.tree import Form
from inspector.protocol.json_pointer import steps_of
from inspector.protocol.messages import Sendable

INITIAL_DEPTH: Final = 8
"""Nested required parts deeper than this start left out: a schema may require itself."""
INITIAL_NODES: Final = 2000
"""Fields that one thing which a user does may fill; what is left is filled when it is opened."""
INITIAL_ITEMS: Final = 20
"""Items with which a list starts that must have some."""


class FormState:
    """A form with what is filled in. `prefill` starts optional fields with their defaults."""

    def __init__(self, form: Form, *, prefill: bool = True) -> None:
        self.form = form
        self.prefill = prefill
        self.reset()

    def reset(self) -> None:
        """Back to how the form began."""
        self._renew()
        self.root = Node(self.form.root, None)
        self._start(self.root, 0)

    def _renew(self) -> None:
        """Before each thing that a user does: what it may cost begins anew."""
        self.form.renew()
        self._budget = INITIAL_NODES
        self._loader = Loader(self.form, INITIAL_NODES)

    def node(self, pointer: str) -> Node | None:
        """The part at a JSON pointer, None where there is none in the form."""
        node = self.root
        for key in steps_of(pointer):
            while node.field.kind is Kind.CHOICE and node.json is None and node.children:
                node = node.children[0]
            found = None
            if node.json is None and node.field.kind is Kind.OBJECT:
                found = next((child for child in node.children if child.key == key), None)
            elif node.json is None and node.field.kind is Kind.ARRAY and key.isdecimal():
                found = node.children[int(key)] if int(key) < len(node.children) else None
            if found is None:
                return None
            node = found
        return node

    # presence

    def omit(self, node: Node) -> None:
        """Leaves a part out; what was filled in is kept for `restore`."""
        if node.can_omit:
            node.presence = Presence.OMITTED

    def null(self, node: Node) -> None:
        """Sends null for a part, whether the schema allows it or not."""
        node.presence = Presence.NULL

    def restore(self, node: Node) -> None:
        """Sends a value: what was filled in before, or a fresh start."""
        node.presence = Presence.VALUE
        if not node.filled and node.json is None:
            self._renew()
            self._fill(node, 0)

    # scalars

    def set_text(self, node: Node, text: str) -> None:
        """What is typed: the text of a text field, or JSON where the part is edited as JSON."""
        if node.presence is not Presence.VALUE:
            self.restore(node)
        if node.is_text:
            node.text = text
        else:
            node.json = text

    def select(self, node: Node, index: int) -> None:
        """Picks an option of an enum, an alternative of a choice, or a boolean (0 or 1)."""
        if node.presence is not Presence.VALUE:
            self.restore(node)
        if node.field.kind is Kind.CHOICE:
            self._renew()
            self._choose(node, index)
        else:
            node.choice = index

    def toggle(self, node: Node, index: int) -> None:
        """Takes an option into a multiple choice, or out of it."""
        if node.presence is not Presence.VALUE:
            self.restore(node)
        if index in node.chosen:
            node.chosen.remove(index)
        else:
            node.chosen.append(index)

    # lists and maps

    def add_item(self, node: Node, at: int | None = None) -> Node:
        """A new item, at the end or before `at`."""
        if node.presence is not Presence.VALUE:
            self.restore(node)
        self._renew()
        return self._new_item(node, len(node.children) if at is None else at, 0)

    def _new_item(self, node: Node, index: int, depth: int) -> Node:
        child = Node(self.form.item(node.field, index), node)
        node.children.insert(index, child)
        self._start(child, depth)
        return child

    def add_entry(self, node: Node, key: str) -> Node:
        """A new entry of an object; UsageError when the key is there already."""
        if any(child.key == key for child in node.children):
            raise UsageError(f"there is already an entry {key!r}", hint="choose another key")
        if node.presence is not Presence.VALUE:
            self.restore(node)
        self._renew()
        child = Node(self.form.entry(node.field, key), node, key)
        child.key, child.extra = key, True
        node.children.append(child)
        self._start(child, 0)
        if child.presence is Presence.OMITTED:
            self.restore(child)
        return child

    def rename(self, node: Node, key: str) -> None:
        """Gives an added entry another key; UsageError when that key is there already."""
        siblings = node.parent.children if node.parent else []
        if any(child is not node and child.key == key for child in siblings):
            raise UsageError(f"there is already an entry {key!r}", hint="choose another key")
        if node.extra:
            node.key = key

    def remove(self, node: Node) -> None:
        """Takes an item or an added entry away."""
        if node.parent is not None and (node.is_item or node.extra):
            node.parent.children.remove(node)

    def move(self, node: Node, by: int) -> None:
        """Moves an item or an added entry up (-1) or down (1) among its like."""
        if node.parent is None or not (node.is_item or node.extra):
            return
        siblings = node.parent.children
        index = siblings.index(node)
        target = index + by
        if 0 <= target < len(siblings) and (node.is_item or siblings[target].extra):
            siblings[index], siblings[target] = siblings[target], siblings[index]

    # JSON parts

    def as_json(self, node: Node, why: str = "") -> None:
        """Edits a part as JSON from now on, beginning with what it holds."""
        value = collect(node, strict=False)
        node.json = "" if value is NOTHING else dump(value, indent=2)
        node.why = why
        node.presence = Presence.VALUE

    def as_fields(self, node: Node) -> str:
        """Edits a JSON part as fields again; says why not where it cannot."""
        if node.json is None:
            return ""
        self._renew()
        if node.field.why == SPENT:
            self._make_again(node)
        if node.field.kind is Kind.JSON:
            return node.field.why
        if not node.json.strip():
            node.clear()
            self.restore(node)
            return ""
        try:
            value = parse(node.json)
        except JsonTextError as error:
            return str(error)
        Loader(self.form).load(node, value)
        return node.why if node.json is not None else ""

    def _make_again(self, node: Node) -> None:
        """The field of a part for which too little was left when it was made."""
        parent = node.parent
        if parent is None or node.extra or parent.field.kind is not Kind.OBJECT:
            return
        named = {field.name: field for field in self.form.properties(parent.field)}
        node.field = named.get(node.key, node.field)

    # value

    def load(self, value: Sendable) -> list[str]:
        """Fills the form with `value`, losing nothing; returns what had to become a JSON part."""
        self.form.renew()
        root = Node(self.form.root, None)
        loader = Loader(self.form)
        loader.load(root, value)
        self.root = root
        return loader.losses

    def load_text(self, text: str) -> list[str]:
        """Like `load`, from JSON text whose number tokens are kept; UsageError if it is none."""
        try:
            value = parse(text)
        except JsonTextError as error:
            raise UsageError(str(error), hint="correct the JSON") from None
        return self.load(value)

    def collect(self) -> Sendable:
        """The value to send; UsageError where a part edited as JSON is no JSON."""
        value = collect(self.root, strict=True)
        if value is NOTHING:
            return {}
        return value

    def text(self, indent: int = 2) -> str:
        """The value as JSON text; broken JSON parts stand in it as they were typed."""
        value = collect(self.root, strict=False)
        return "{}" if value is NOTHING else dump(value, indent=indent)

    def value_of(self, node: Node) -> Sendable | Nothing:
        """What one part would send at present, broken JSON as typed."""
        return collect(node, strict=False)

    def problems(self) -> list[Problem]:
        """What can be said without the schema's verdict; nothing here prevents sending."""
        found: list[Problem] = []
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            if message := problem_of(node):
                found.append(Problem(node.pointer, message))
            if node.json is None and node.presence is Presence.VALUE:
                waiting.extend(reversed(node.children))
        return found

    # beginnings

    def _start(self, node: Node, depth: int) -> None:
        field = node.field
        self._budget -= 1
        too_deep = depth > INITIAL_DEPTH or self._budget < 0
        optional = node.can_omit and not field.required
        if node.can_omit and too_deep:
            return
        if field.has_default and not too_deep and (not optional or self.prefill):
            if field.default is None and optional:
                return
            self._loader.load(node, field.default)
        elif not optional:
            node.presence = Presence.VALUE
            self._fill(node, depth)

    def _fill(self, node: Node, depth: int) -> None:
        """A fresh value: required parts are there, choices take their first alternative."""
        node.filled = True
        match node.field.kind:
            case Kind.NULL:
                node.presence = Presence.NULL
            case Kind.CONST | Kind.BOOLEAN:
                node.choice = 0
            case Kind.OBJECT:
                for field in self.form.properties(node.field):
                    child = Node(field, node)
                    child.key = field.name
                    node.children.append(child)
                    self._start(child, depth + 1)
            case Kind.ARRAY:
                for index in range(first_items(node.field)):
                    if depth <= INITIAL_DEPTH and self._budget > 0:
                        self._new_item(node, index, depth + 1)
            case Kind.CHOICE:
                if depth <= INITIAL_DEPTH and self.form.variants(node.field):
                    self._choose(node, 0, depth)
            case Kind.JSON:
                node.json, node.why = "", node.field.why

    def _choose(self, node: Node, index: int, depth: int = 0) -> None:
        """Another alternative; what the old one shares by name with the new one is kept."""
        before = node.children[0] if node.children else None
        child = node.variants.get(index)
        if child is None:
            child = Node(self.form.variants(node.field)[index], node)
            node.variants[index] = child
            self._start(child, depth + 1)
            if before is not None:
                self._loader.carry_over(before, child)
        node.choice, node.children, node.filled = index, [child], True


def first_items(field: Field) -> int:
    """How many items a fresh list has: as many as it must have, or those of a tuple."""
    least = field.flat.limits.get("minItems")
    if isinstance(least, int) and not isinstance(least, bool):
        return max(0, min(least, INITIAL_ITEMS))
    return min(len(field.flat.prefix), INITIAL_ITEMS)
