"""Which lines a form has: fields, places to add to, problems and an open list of options.

Decides order, depth and folding, and on which line a problem is shown. What a line looks like is
decided by `inspector.tui.widgets.form_draw`, what keys do there by the form's rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from inspector.forms.fields import Kind
from inspector.forms.nodes import Node, Presence
from inspector.forms.problems import Problem
from inspector.forms.values import FormState
from inspector.tui.widgets.form_editor import LineEditor

MISSING: Final = "required"
"""What `inspector.forms` says of a field that has to be filled and is not."""


class LineKind(Enum):
    """What a line is; the cursor rests on fields and places to add to."""

    FIELD = 0
    ADD = 1
    PROBLEM = 2
    PICK = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `index` is the option of a PICK line, `text` the message of a PROBLEM line."""

    kind: LineKind
    node: Node
    depth: int
    index: int = 0
    text: str = ""

    @property
    def can_rest(self) -> bool:
        """Whether the cursor may stand here."""
        return self.kind in (LineKind.FIELD, LineKind.ADD)


@dataclass(slots=True)
class Pick:
    """An open list below a field: options of an enum, alternatives, or suggestions.

    `index` is the one under the cursor among those shown, -1 for none.
    """

    node: Node
    labels: Sequence[str]
    several: bool = False
    suggestions: bool = False
    query: str = ""
    index: int = 0

    ROWS = 6

    def shown(self) -> list[int]:
        """The options that contain what was typed."""
        wanted = self.query.casefold()
        return [number for number, text in enumerate(self.labels) if wanted in text.casefold()]

    def window(self) -> list[int]:
        """The few of them that are drawn, the one under the cursor among them."""
        shown = self.shown()
        top = max(0, min(self.index - self.ROWS + 1, len(shown) - self.ROWS))
        return shown[top : top + self.ROWS]

    def current(self) -> int | None:
        """The option under the cursor."""
        shown = self.shown()
        return shown[self.index] if 0 <= self.index < len(shown) else None

    def move(self, by: int) -> None:
        """The cursor to another option, round the ends."""
        count = len(self.shown())
        first = 0 if by > 0 else -1
        self.index = (self.index + by if self.index >= 0 else first) % count if count else -1


@dataclass(slots=True)
class KeyPrompt:
    """The key of a new entry of `parent`, or the new key of `renaming`, while it is typed."""

    parent: Node
    renaming: Node | None = None
    editor: LineEditor = field(default_factory=LineEditor)
    problem: str = ""


@dataclass(slots=True)
class FormView:
    """What is shown of a form besides its values."""

    folded: set[Node] = field(default_factory=set)
    problems: dict[Node, list[str]] = field(default_factory=dict)
    pick: Pick | None = None
    prompt: KeyPrompt | None = None


def body_of(node: Node) -> Node | None:
    """The object or list whose parts stand below `node`; for a choice that of its alternative."""
    while node.json is None and node.presence is Presence.VALUE:
        if node.field.kind in (Kind.OBJECT, Kind.ARRAY):
            return node
        if node.field.kind is not Kind.CHOICE or not node.children:
            return None
        node = node.children[0]
    return None


def has_parts(node: Node) -> bool:
    """Whether something can stand below `node`."""
    inside = node.field.kind in (Kind.OBJECT, Kind.ARRAY, Kind.CHOICE)
    return inside and node.json is None and node.presence is Presence.VALUE


def bodies_of(line: Line) -> Iterator[Node]:
    """The lists and objects from here upwards, the field itself first."""
    node: Node | None = line.node
    while node is not None:
        if node.json is None and node.field.kind in (Kind.ARRAY, Kind.OBJECT):
            yield node
        node = node.parent


def lay_out(state: FormState, view: FormView) -> list[Line]:
    """All lines of a form as it stands."""
    lines: list[Line] = []
    root = state.root
    body = body_of(root)
    if body is root:
        lines.extend(_problems(view, root, 0))
        _parts(state, view, root, 0, lines)
    else:
        _field(state, view, root, 0, lines)
    return lines


def _field(state: FormState, view: FormView, node: Node, depth: int, lines: list[Line]) -> None:
    lines.append(Line(LineKind.FIELD, node, depth))
    lines.extend(_problems(view, node, depth))
    if view.pick is not None and view.pick.node is node:
        lines.extend(Line(LineKind.PICK, node, depth, index) for index in view.pick.window())
    if not has_parts(node) or node in view.folded:
        return
    body = body_of(node)
    if body is not None:
        if body is not node:
            _nested_choices(state, view, node, body, depth, lines)
        _parts(state, view, body, depth + 1, lines)
    elif node.children:
        _field(state, view, node.children[0], depth + 1, lines)


def _nested_choices(
    state: FormState, view: FormView, node: Node, body: Node, depth: int, lines: list[Line]
) -> None:
    """A choice inside a choice is a line of its own; the last alternative itself is none."""
    inner = node.children[0]
    while inner is not body:
        lines.append(Line(LineKind.FIELD, inner, depth + 1))
        if view.pick is not None and view.pick.node is inner:
            lines.extend(Line(LineKind.PICK, inner, depth, index) for index in view.pick.window())
        inner = inner.children[0]


def _parts(state: FormState, view: FormView, body: Node, depth: int, lines: list[Line]) -> None:
    for child in body.children:
        _field(state, view, child, depth, lines)
    prompting = view.prompt is not None and view.prompt.parent is body
    adding = prompting and view.prompt is not None and view.prompt.renaming is None
    if body.field.kind is Kind.ARRAY or adding or state.form.takes_entries(body.field):
        lines.append(Line(LineKind.ADD, body, depth))


def _problems(view: FormView, node: Node, depth: int) -> list[Line]:
    messages = view.problems.get(node, [])
    if not messages or is_missing(view, node):
        return []
    return [Line(LineKind.PROBLEM, node, depth, text=messages[0])]


def is_missing(view: FormView, node: Node) -> bool:
    """Whether all that is wrong with a field is that it is empty, which its own line says."""
    return view.problems.get(node) == [MISSING] and not has_parts(node)


def place_problems(
    state: FormState, view: FormView, problems: Sequence[Problem]
) -> dict[Node, list[str]]:
    """Each problem at the line that shows its part: the part itself or what it is folded into."""
    placed: dict[Node, list[str]] = {}
    for problem in problems:
        node, rest = _nearest(state, problem.pointer)
        line = _shown(view, node)
        if line is not node:
            rest = problem.pointer.removeprefix(line.pointer)
        text = f"{rest.lstrip('/')}: {problem.message}" if rest else problem.message
        messages = placed.setdefault(line, [])
        if text not in messages:
            messages.append(text)
    return placed


def _nearest(state: FormState, pointer: str) -> tuple[Node, str]:
    rest = ""
    while pointer:
        found = state.node(pointer)
        if found is not None:
            return found, rest
        pointer, _, last = pointer.rpartition("/")
        rest = f"/{last}{rest}"
    return state.root, rest


def _shown(view: FormView, node: Node) -> Node:
    """The outermost folded part that `node` lies in, else itself."""
    shown, above = node, node.parent
    while above is not None:
        if above in view.folded:
            shown = above
        above = above.parent
    return shown
