"""The rows of a form under the keyboard: typing, choosing, adding, moving.

Decides what each key does on each line. The values are kept by `inspector.forms.values`, the cursor
by `form_cursor`, lines are laid out by `form_lines` and drawn by `form_draw`; validation,
completion and JSON text are the business of `inspector.tui.widgets.form`.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events

from inspector.errors import UsageError
from inspector.forms.fields import Kind
from inspector.forms.nodes import Node, Presence
from inspector.tui.widgets.form_cursor import FormCursor, can_type
from inspector.tui.widgets.form_draw import pick_of
from inspector.tui.widgets.form_editor import LineEditor
from inspector.tui.widgets.form_lines import KeyPrompt, LineKind, Pick, bodies_of, has_parts


class FormRows(FormCursor):
    """The lines of one form. Everything it changes, it changes in `state`."""

    TAKES_TEXT: ClassVar[bool] = True

    # -- typing ---------------------------------------------------------------------------------

    async def _on_key(self, event: events.Key) -> None:
        if self._handle(event.key, event.character if event.is_printable else None):
            event.stop()
            event.prevent_default()

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        text = event.text
        node = self.node
        if node is not None and node.field.kind is not Kind.STRING:
            text = " ".join(text.split("\n"))
        self._type(text)

    def _handle(self, key: str, character: str | None) -> bool:
        """Keys that belong to the text; everything else is a binding."""
        pick = self.view.pick
        if pick is not None and not pick.suggestions:
            return self._handle_pick(pick, key, character)
        if self.view.prompt is None and self._handle_choice(key, character):
            return True
        if character is not None:
            self._type(character)
            return True
        if self.editor is None:
            return key in ("backspace", "delete") and self._drop()
        if key in ("backspace", "delete") and not self.editor.text and self._drop():
            return True
        before = self.editor.text
        if not self.editor.press(key):
            return False
        self._store(before)
        return True

    def _type(self, text: str) -> None:
        node, prompt = self.node, self.view.prompt
        if prompt is not None:
            prompt.editor.insert(text)
            prompt.problem = ""
            self.refresh_lines_at([self.cursor])
            return
        line = self.line
        if line is not None and line.kind is LineKind.ADD:
            if line.node.field.kind is Kind.OBJECT:
                self._ask_key(line.node, text)
            return
        if node is None:
            return
        if self.editor is None:
            if not can_type(node):
                return
            self.state.restore(node)
            self.editor, self.editing = LineEditor(), node
            before = None
        else:
            before = self.editor.text
        self.editor.insert(text)
        self._store(before)

    def _store(self, before: str | None) -> None:
        node, editor = self.node, self.editor
        if self.view.prompt is not None or node is None or editor is None:
            self.refresh_lines_at([self.cursor])
        elif editor.text != before:
            self.state.set_text(node, editor.text)
            self.changed(typed=node)
        else:
            self.refresh_lines_at([self.cursor])

    def _drop(self) -> bool:
        """Backspace where nothing is left to delete leaves an optional field out."""
        node = self.node
        if node is None or not node.can_omit or node.presence is Presence.OMITTED:
            return False
        if node.field.required or self.view.prompt is not None:
            return False
        self.state.omit(node)
        self.changed()
        return True

    # -- choosing -------------------------------------------------------------------------------

    def _handle_choice(self, key: str, character: str | None) -> bool:
        """Left, right and space on fields that are chosen, not typed; a letter opens the list."""
        node = self.node
        if node is None or node.json is not None or can_type(node):
            return False
        step = {"left": -1, "right": 1}.get(key, 1 if character == " " else 0)
        if node.presence is not Presence.VALUE:
            if character == " ":
                self.action_act()
            return character is not None
        match node.field.kind:
            case Kind.BOOLEAN if step or (character and character.casefold() in "tfyn"):
                value = character.casefold() in "ty" if not step and character else not node.choice
                self.state.select(node, int(value))
                self.changed()
            case Kind.ENUM | Kind.CHOICE if step and character is None:
                self._cycle(node, step)
            case Kind.OBJECT | Kind.ARRAY if step:
                self._fold(node, folded=None if character else step < 0)
            case Kind.ENUM | Kind.CHOICE | Kind.MULTI if character:
                self.action_act()
                if self.view.pick is not None and character != " ":
                    self._handle_pick(self.view.pick, key, character)
            case _:
                return character is not None
        return True

    def _cycle(self, node: Node, step: int) -> None:
        count = len(node.field.options) or len(self.state.form.variants(node.field))
        self.state.select(node, (max(node.choice, 0 if step < 0 else -1) + step) % count)
        self.changed()

    def _fold(self, node: Node, *, folded: bool | None) -> None:
        if not has_parts(node):
            return
        if folded is None:
            folded = node not in self.view.folded
        (self.view.folded.add if folded else self.view.folded.discard)(node)
        self.update_lines()

    def _handle_pick(self, pick: Pick, key: str, character: str | None) -> bool:
        """Keys while a list of options is open: letters narrow it."""
        if key in ("enter", "escape", "up", "down"):
            return False
        if key == "space" and pick.several:
            self._take(pick)
        elif character is not None:
            pick.query += character
            pick.index = 0
        elif key == "backspace":
            pick.query = pick.query[:-1]
            pick.index = 0
        else:
            return False
        self.update_lines()
        return True

    def _take(self, pick: Pick) -> None:
        """The option under the cursor becomes the value."""
        index = pick.current()
        if pick.several and index is not None:
            self.state.toggle(pick.node, index)
            self.changed()
            return
        self.view.pick = None
        if index is None:
            self.update_lines()
        elif pick.suggestions:
            self.state.set_text(pick.node, pick.labels[index])
            self.editor = None
            self.changed()
        else:
            self.state.select(pick.node, index)
            self.changed()

    def suggest(self, node: Node, texts: Sequence[str]) -> None:
        """Offers texts for the field being typed in; none closes the offer."""
        if node is not self.node or (self.view.pick is not None and not self.view.pick.suggestions):
            return
        known = [text for text in texts if text != node.text]
        self.view.pick = Pick(node, known, suggestions=True, index=-1) if known else None
        self.update_lines()

    # -- actions --------------------------------------------------------------------------------

    def action_act(self) -> None:
        """Enter: takes an option, opens a list, folds, adds, or goes on to the next field."""
        line, pick = self.line, self.view.pick
        if line is None:
            return
        if pick is not None and (pick.current() is not None or not pick.suggestions):
            self._take(pick)
        elif self.view.prompt is not None:
            self._finish_key(self.view.prompt)
        elif line.kind is LineKind.ADD:
            self.action_add()
        elif line.node.presence is Presence.VALUE and (
            line.node.json is not None or "\n" in line.node.text
        ):
            self.post_message(self.EditPart(line.node))
        elif can_type(line.node):
            self.move_by(1)
        elif line.node.presence is not Presence.VALUE:
            self.state.restore(line.node)
            self.changed()
        elif line.node.field.kind is Kind.BOOLEAN:
            self.state.select(line.node, int(line.node.choice != 1))
            self.changed()
        elif (opened := pick_of(self.state.form, line.node)) is not None:
            self.view.pick = opened
            self.update_lines()
            self.reveal_pick()
        elif line.node.field.kind is Kind.ARRAY and not line.node.children:
            self.action_add()
        elif has_parts(line.node):
            self._fold(line.node, folded=None)
        else:
            self.move_by(1)

    def action_move(self, step: int) -> None:
        """Up and down: through an open list, else from field to field."""
        if self.view.pick is not None:
            self.view.pick.move(step)
            self.update_lines()
            self.reveal_pick()
        else:
            self.move_by(step)

    def action_next(self, step: int) -> None:
        """Tab: the next field; past the ends the focus leaves the form."""
        self.view.pick = None
        if not self.move_by(step):
            self.update_lines()
            if step > 0:
                self.screen.focus_next()
            else:
                self.screen.focus_previous()

    def move_by(self, step: int) -> bool:
        """Moves to the next line on which the cursor may rest; False where there is none."""
        at = self.cursor + step
        while 0 <= at < len(self.lines):
            if self.lines[at].can_rest:
                self.go_to(at)
                return True
            at += step
        self.scroll_lines_to(0 if step < 0 else len(self.lines))
        return False

    def action_first(self) -> None:
        """To the first field."""
        self.go_to(self.restable(0, 1))

    def action_last(self) -> None:
        """To the last field."""
        self.go_to(self.restable(len(self.lines) - 1, -1))

    def action_omit(self) -> None:
        """Leaves the field out, or takes it in again."""
        self._switch(Presence.OMITTED, self.state.omit)

    def action_null(self) -> None:
        """Null, or the value again."""
        self._switch(Presence.NULL, self.state.null)

    def _switch(self, presence: Presence, change: Callable[[Node], None]) -> None:
        node = self.node
        if node is None:
            return
        if node.presence is presence:
            self.state.restore(node)
        else:
            change(node)
        self.changed()

    def action_add(self) -> None:
        """A new item in the list here, or the key of a new entry of the object here."""
        line = self.line
        if line is None:
            return
        body = next(bodies_of(line), self.state.root)
        if body.field.kind is Kind.ARRAY:
            at = None
            if line.kind is LineKind.FIELD and line.node in body.children:
                at = body.children.index(line.node) + 1
            self.changed(self.state.add_item(body, at))
        elif body.field.kind is Kind.OBJECT:
            self._ask_key(body, "")

    def _ask_key(self, body: Node, text: str, renaming: Node | None = None) -> None:
        if body.presence is not Presence.VALUE:
            self.state.restore(body)
        self.view.folded.discard(body)
        self.view.prompt = KeyPrompt(body, renaming, LineEditor(text))
        self.lay_out()
        wanted = self.line_of(renaming or body, LineKind.FIELD if renaming else LineKind.ADD)
        if wanted is not None:
            self.go_to(wanted)
        self.changed(renaming)

    def _finish_key(self, prompt: KeyPrompt) -> None:
        try:
            if prompt.renaming is not None:
                self.state.rename(prompt.renaming, prompt.editor.text)
                made = prompt.renaming
            else:
                made = self.state.add_entry(prompt.parent, prompt.editor.text)
        except UsageError as error:
            prompt.problem = error.message
            self.refresh_lines_at([self.cursor])
            return
        self.view.prompt = None
        self.editor = None
        self.changed(made)

    def action_remove(self) -> None:
        """Takes an item or an added entry away."""
        node = self.node
        if node is None or node.parent is None or not (node.is_item or node.extra):
            return
        siblings = node.parent.children
        index = siblings.index(node)
        self.state.remove(node)
        left = siblings[min(index, len(siblings) - 1)] if siblings else node.parent
        self.changed(left)

    def action_shift(self, step: int) -> None:
        """Moves an item up or down in its list."""
        if (node := self.node) is not None:
            self.state.move(node, step)
            self.changed(node)

    def action_rename(self) -> None:
        """Another key for an added entry."""
        node = self.node
        if node is not None and node.extra and node.parent is not None:
            self._ask_key(node.parent, node.key, node)

    def action_part(self) -> None:
        """This field as JSON, or as fields again."""
        node = self.node
        if node is None:
            return
        if node.json is None:
            self.state.as_json(node, "as you asked")
        elif reason := self.state.as_fields(node):
            node.why = reason
        self.editor = None
        self.changed()

    def action_text(self) -> None:
        """A text field, or a part that is JSON, in an editor with several lines."""
        node = self.node
        if node is None or (node.json is None and node.field.kind is not Kind.STRING):
            return
        if node.presence is not Presence.VALUE:
            self.state.restore(node)
            self.changed()
        self.post_message(self.EditPart(node))

    def action_submit(self) -> None:
        """Sends the form."""
        self.post_message(self.Submitted())

    def action_close(self) -> None:
        """Closes an open list or key prompt."""
        self.view.pick = None
        self.view.prompt = None
        self.editor = None
        self.update_lines()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape is left to the screen while nothing is open here, the key for another name where
        none can be given."""
        if action == "close":
            return self.view.pick is not None or self.view.prompt is not None
        if action == "rename":
            return (node := self.node) is not None and node.extra
        return True

    def clicked(self, line: int, times: int) -> None:
        """A click on an option takes it; a second click on a field acts like Enter."""
        clicked, pick = self.lines[line], self.view.pick
        if clicked.kind is LineKind.PICK and pick is not None:
            pick.index = pick.shown().index(clicked.index)
            self._take(pick)
        elif times == 2:
            self.action_act()
