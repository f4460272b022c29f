"""The cursor of a form: on which field it rests, and what is typed there.

Decides how lines are kept while they come and go below the cursor, and which line has a text being
edited. What keys do is decided by `inspector.tui.widgets.form_rows`.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from inspector.forms.nodes import Node, Presence
from inspector.forms.problems import Problem
from inspector.forms.values import FormState
from inspector.tui.bindings import bindings_for
from inspector.tui.widgets.form_draw import Drawing, Inks, hint_width, label_width
from inspector.tui.widgets.form_editor import LineEditor
from inspector.tui.widgets.form_lines import (
    FormView,
    Line,
    LineKind,
    lay_out,
    place_problems,
)
from inspector.tui.widgets.lines import LineArea


class FormCursor(LineArea, inherit_bindings=False):
    """The lines of one form and the cursor on them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding for binding in bindings_for("form") if binding.id != "form.json"
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"form--field", "form--focused"}
    DEFAULT_CSS = """
    FormCursor { width: 1fr; height: 1fr; }
    FormCursor > .form--field { background: $foreground 8%; }
    FormCursor > .form--focused { background: $primary 30%; }
    """

    class Changed(Message):
        """Something was filled in; `typed` tells whether it was text in a field."""

        def __init__(self, typed: Node | None = None) -> None:
            super().__init__()
            self.typed = typed

    class Rested(Message):
        """The cursor came to a field, or what is known about it changed."""

    class EditPart(Message):
        """A part should be opened in the editor for long JSON texts."""

        def __init__(self, node: Node) -> None:
            super().__init__()
            self.node = node

    class Submitted(Message):
        """The form should be sent."""

    class Resized(Message):
        """The form has another number of lines."""

    def __init__(self, state: FormState, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state = state
        self.view = FormView()
        self.problems: Sequence[Problem] = ()
        self.lines: list[Line] = []
        self._columns = (0, 0, 0)
        self.editor: LineEditor | None = None
        self.editing: Node | None = None
        self.lay_out()

    # -- lines ----------------------------------------------------------------------------------

    def count_lines(self) -> int:
        """How many lines the form has now."""
        return len(self.lines)

    def empty_text(self) -> str:
        """What an empty form says."""
        return "  nothing to fill in"

    def draw_line(self, line: int, width: int) -> Strip:
        """One line as the form stands."""
        shown = self.lines[line]
        editor = self.editor if line == self.cursor and self.has_focus else None
        inks = Inks(
            self.get_component_rich_style("form--field"),
            self.get_component_rich_style("form--focused"),
        )
        if self._columns[0] != width:
            label = label_width(self.lines, width)
            self._columns = (width, label, hint_width(self.lines, width, label))
        drawing = Drawing(self.state.form, self.view, inks, *self._columns)
        return self.strip_of(drawing.text(shown, editor))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As high as it has lines, where the layout asks."""
        return max(1, len(self.lines))

    @property
    def line(self) -> Line | None:
        """The line under the cursor."""
        return self.lines[self.cursor] if self.cursor < len(self.lines) else None

    @property
    def node(self) -> Node | None:
        """The field under the cursor; None on a place to add to."""
        line = self.line
        return line.node if line is not None and line.kind is LineKind.FIELD else None

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Puts problems beside their fields."""
        self.problems = problems
        self.update_lines()

    def update_lines(self, rest_on: Node | None = None) -> None:
        """Lays out again and keeps the cursor on its field, or puts it on `rest_on`."""
        before = self.line
        count = len(self.lines)
        self.lay_out()
        target = self.line_of(rest_on, LineKind.FIELD) if rest_on is not None else None
        if target is None and before is not None:
            target = self.line_of(before.node, before.kind)
        self.lines_changed()
        if len(self.lines) != count:
            self.post_message(self.Resized())
        self.go_to(self.restable(self.cursor if target is None else target, 1))
        self.take_up()

    def lay_out(self) -> None:
        """Makes the lines anew from what is filled in."""
        self.view.problems = place_problems(self.state, self.view, self.problems)
        self.lines = lay_out(self.state, self.view)
        self._columns = (0, 0, 0)

    def line_of(self, node: Node, kind: LineKind) -> int | None:
        """The number of a line, None where it is not shown."""
        for number, line in enumerate(self.lines):
            if line.node is node and line.kind is kind:
                return number
        return None

    def restable(self, number: int, step: int) -> int:
        """The nearest line in that direction on which the cursor may rest, else the other way."""
        for direction in (step, -step):
            at = number
            while 0 <= at < len(self.lines):
                if self.lines[at].can_rest:
                    return at
                at += direction
        return 0

    def cursor_moved(self) -> None:
        """Another field: what was open closes, its text is taken up for editing."""
        line = self.line
        if line is not None and not line.can_rest:
            self.go_to(self.restable(self.cursor, -1))
            return
        self._close_lists()
        self.take_up()
        self.post_message(self.Rested())
        self.call_after_refresh(self._show_outside)

    def _show_outside(self) -> None:
        """Where the form is higher than what scrolls around it, that follows the cursor."""
        row = self.region.y + self.cursor - self.top
        for above in self.ancestors:
            if isinstance(above, Widget) and above.allow_vertical_scroll:
                line = row - above.content_region.y + above.scroll_offset.y
                above.scroll_to_region(Region(0, line, 1, 1), animate=False)
                return

    def take_up(self) -> None:
        """Makes the text of the field under the cursor the one being edited."""
        node = self.node
        if self.view.prompt is not None:
            self.editor = self.view.prompt.editor
            return
        if node is None or not is_typed(node):
            self.editor, self.editing = None, None
            return
        text = node.text if node.json is None else node.json
        if self.editing is not node or self.editor is None or self.editor.text != text:
            self.editor, self.editing = LineEditor(text), node

    def reveal_pick(self) -> None:
        """Scrolls so that an open list of options can be seen."""
        pick = self.view.pick
        if pick is not None:
            last = self.cursor + len(pick.window())
            if last >= self.top + self.page_height:
                self.scroll_lines_to(min(self.cursor, last - self.page_height + 1))

    def _close_lists(self) -> bool:
        node = self.node
        open_pick = self.view.pick is not None and self.view.pick.node is not node
        line = self.line
        prompt = self.view.prompt
        at_prompt = (
            prompt is not None
            and line is not None
            and (line.node is prompt.renaming or line.node is prompt.parent)
        )
        open_prompt = prompt is not None and not at_prompt
        if not open_pick and not open_prompt:
            return False
        if open_pick:
            self.view.pick = None
        if open_prompt:
            self.view.prompt = None
        self.update_lines()
        return True

    def changed(self, rest_on: Node | None = None, *, typed: Node | None = None) -> None:
        """To be called after every change of a value."""
        self.update_lines(rest_on)
        self.post_message(self.Changed(typed))
        self.post_message(self.Rested())

    def on_focus(self, event: events.Focus) -> None:
        """The cursor shows and the field is told about."""
        super().on_focus(event)
        self.take_up()
        self.post_message(self.Rested())


def is_typed(node: Node) -> bool:
    """Whether its text is edited in its line right now."""
    if node.presence is not Presence.VALUE:
        return False
    return node.is_text or (node.json is not None and "\n" not in node.json)


def can_type(node: Node) -> bool:
    """Whether typing on its line gives it a value."""
    return is_typed(node) or (node.presence is not Presence.VALUE and node.is_text)
