"""How the lines of a form look: one line a field, in as few as 36 cells.

Decides columns, marks and summaries. Everything that a server wrote passes `render.safe` here.
Which lines there are is decided by `inspector.tui.widgets.form_lines`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from inspector.forms.fields import Kind
from inspector.forms.hints import example_of
from inspector.forms.jsontext import compact, dump
from inspector.forms.nodes import Node, Presence
from inspector.forms.tree import Form
from inspector.render.safe import TOKEN_STYLE, one_line, safe_text, token_spans, visible
from inspector.tui.widgets.form_editor import LineEditor
from inspector.tui.widgets.form_lines import (
    MISSING,
    FormView,
    KeyPrompt,
    Line,
    LineKind,
    Pick,
    has_parts,
    is_missing,
)

INDENT: Final = 2
LABEL_SHARE: Final = 0.42
VALUE_WIDTH: Final = 13
"""Cells that a value keeps before its hint is shown."""
VALUE_MOST: Final = 48
PASSWORD_DOTS: Final = 12
HINT_SHARE: Final = 0.5
HINT_LEAST: Final = 7


@dataclass(frozen=True, slots=True)
class Inks:
    """Styles that are not named inks: the ground of an input, at rest and under the cursor."""

    field: Style
    focused: Style


@dataclass(frozen=True, slots=True)
class Drawing:
    """What lines are drawn with. `label` and `hint` are the widths of these columns in cells."""

    form: Form
    view: FormView
    inks: Inks
    width: int
    label: int
    hint: int

    def text(self, line: Line, editor: LineEditor | None) -> Text:
        """One line; `editor` is set where its text is being typed."""
        match line.kind:
            case LineKind.PROBLEM:
                return self._problem(line)
            case LineKind.PICK:
                return self._option(line)
            case LineKind.ADD:
                return self._add(line)
            case LineKind.FIELD:
                return self._field(line, editor)

    def _field(self, line: Line, editor: LineEditor | None) -> Text:
        node = line.node
        prompt = self.view.prompt
        if prompt is not None and prompt.renaming is node:
            return self._prompt(line, prompt)
        text = Text(end="", no_wrap=True)
        text.append(" " * (line.depth * INDENT))
        folded = node in self.view.folded
        text.append(("▸ " if folded else "▾ ") if has_parts(node) else "  ", "mcp.dim")
        room = max(4, self.label - text.cell_len - 1)
        mark = "*" if node.field.required and node.can_omit else ""
        ink = "mcp.faint" if node.presence is Presence.OMITTED else "mcp.key"
        text.append_text(one_safe(label_of(node), room - len(mark), ink))
        text.append(mark, "mcp.warn")
        text.append(" " * max(1, self.label - text.cell_len))
        self._value(text, node, editor)
        return text

    def _value(self, text: Text, node: Node, editor: LineEditor | None) -> None:
        start = text.cell_len
        hint = "JSON" if node.json is not None else short_hint(node)
        room = max(1, min(self.width - start - (self.hint + 1 if self.hint else 0), VALUE_MOST))
        # The verdict comes after a pause in typing: what is there by then is not missing.
        written = (node.text if node.json is None else node.json) if editor is None else editor.text
        missing = is_missing(self.view, node) and not (written and node.presence is Presence.VALUE)
        if editor is not None:
            hidden = node.field.hidden and node.json is None
            shown = editor.hidden() if hidden else editor
            self._typed(text, shown, room, MISSING if missing else "")
        elif missing:
            text.append_text(self._missing(node, room))
        else:
            text.append_text(self._shown(node, room))
        if self.hint and hint:
            text.append(" " * (start + room + 1 - text.cell_len))
            text.append_text(one_safe(hint, self.width - text.cell_len, "mcp.faint"))

    def _typed(self, text: Text, editor: LineEditor, room: int, missing: str = "") -> None:
        window = editor.window(room - 1)
        start = text.cell_len
        text.append(window.before, self.inks.focused)
        text.append(window.under, self.inks.focused + Style(reverse=True))
        text.append(window.after, self.inks.focused)
        if missing and room > len(missing) + 1:
            begin = text.cell_len
            text.append(f" {missing}", self.inks.focused)
            text.stylize("mcp.error", begin)
        text.append(" " * max(0, start + room - text.cell_len), self.inks.focused)

    def _missing(self, node: Node, room: int) -> Text:
        is_empty_text = node.presence is Presence.VALUE and (node.is_text or node.json is not None)
        shown = Text(end="") if is_empty_text else self._shown(node, room - len(MISSING) - 1)
        shown.append(f" {MISSING}" if shown else MISSING, "mcp.error")
        shown.truncate(room)
        if is_empty_text:
            shown.append(" " * max(0, room - shown.cell_len))
            shown.stylize_before(self.inks.field)
        return shown

    def _shown(self, node: Node, room: int) -> Text:
        if node.presence is Presence.OMITTED:
            default = node.field.default
            told = node.field.has_default and not node.field.hidden
            words = f"omitted (default {dump(default)})" if told else "omitted"
            return one_safe(words, room, "mcp.faint")
        if node.presence is Presence.NULL:
            return Text("null", "mcp.literal")
        if node.is_text or node.json is not None:
            content = node.text if node.json is None else compact(node.json)
            if node.field.hidden and node.is_text:
                content = "•" * min(len(content), PASSWORD_DOTS)
            shown = one_safe(content, room)
            shown.append(" " * max(0, room - shown.cell_len))
            shown.stylize(self.inks.field)
            return shown
        return one_safe(self._summary(node), room, ink_of(node))

    def _summary(self, node: Node) -> str:
        options = node.field.options
        match node.field.kind:
            case Kind.BOOLEAN:
                return ("[ ] false", "[x] true", "[ ]")[node.choice if node.choice >= 0 else 2]
            case Kind.ENUM:
                return f"‹ {options[node.choice].label} ›" if node.choice >= 0 else "‹ choose ›"
            case Kind.CONST:
                return f"= {dump(options[0].value)}"
            case Kind.MULTI:
                labels = ", ".join(options[index].label for index in node.chosen)
                return f"[{len(node.chosen)}] {labels}"
            case Kind.CHOICE if node.choice >= 0:
                return f"‹ {self.form.variant_labels(node.field)[node.choice]} ›"
            case Kind.ARRAY:
                count = len(node.children)
                return f"[{count} item{'' if count == 1 else 's'}]"
            case Kind.OBJECT:
                sent = sum(child.presence is not Presence.OMITTED for child in node.children)
                return f"{{{sent} of {len(node.children)}}}" if node.children else "{}"
            case _:
                return ""

    def _problem(self, line: Line) -> Text:
        text = Text(" " * (problem_indent(line) - 2), end="", no_wrap=True)
        text.append("! ", "mcp.error")
        room = self.width - text.cell_len
        text.append_text(one_safe(line.text, room, "mcp.error"))
        return text

    def _option(self, line: Line) -> Text:
        pick = self.view.pick
        text = Text(" " * min(self.label, self.width // 2), end="", no_wrap=True)
        if pick is None:
            return text
        current = pick.current() == line.index
        chosen = line.index in line.node.chosen if pick.several else False
        text.append("› " if current else "  ", "mcp.accent")
        if pick.several:
            text.append("[x] " if chosen else "[ ] ", "mcp.accent" if chosen else "mcp.dim")
        room = min(self.width - text.cell_len, VALUE_MOST - 2)
        shown = one_safe(pick.labels[line.index], room)
        shown.append(" " * max(0, room - shown.cell_len))
        shown.stylize(self.inks.focused if current else self.inks.field)
        return text.append_text(shown)

    def _add(self, line: Line) -> Text:
        prompt = self.view.prompt
        if prompt is not None and prompt.parent is line.node and prompt.renaming is None:
            return self._prompt(line, prompt)
        text = Text(" " * (line.depth * INDENT + 2), end="", no_wrap=True)
        what = "item" if line.node.field.kind is Kind.ARRAY else "entry"
        text.append(f"+ add {what}", "mcp.dim")
        return text

    def _prompt(self, line: Line, prompt: KeyPrompt) -> Text:
        text = Text(" " * (line.depth * INDENT + 2), end="", no_wrap=True)
        text.append("key ", "mcp.dim")
        note = prompt.problem or "Enter keeps it"
        room = max(8, self.width - text.cell_len - len(note) - 1)
        self._typed(text, prompt.editor, room)
        ink = "mcp.error" if prompt.problem else "mcp.faint"
        text.append_text(safe_text(f" {note}", ink, keep_newlines=False))
        return text


def problem_indent(line: Line) -> int:
    """Cells before the words of the problem of a field's line."""
    return line.depth * INDENT + 4


def label_width(lines: Sequence[Line], width: int) -> int:
    """The label column: as wide as the widest label, at most its share of the line."""
    widest = 8
    for line in lines:
        if line.kind is LineKind.FIELD:
            label = cell_len(visible(label_of(line.node)[:80]))
            widest = max(widest, line.depth * INDENT + label + 4)
    return max(8, min(widest, int(width * LABEL_SHARE)))


def hint_width(lines: Sequence[Line], width: int, label: int) -> int:
    """The column of hints: as wide as the widest, at most its share; 0 where there is no room."""
    widest = max(
        (cell_len(visible(short_hint(one.node))) for one in lines if one.kind is LineKind.FIELD),
        default=0,
    )
    left = width - label
    room = min(max(left - VALUE_WIDTH - 1, 0), max(HINT_LEAST, int(left * HINT_SHARE)))
    return min(widest, room) if room >= HINT_LEAST else 0


def label_of(node: Node) -> str:
    """What a field is called on its line: its key, its place in a list, else its title."""
    if node.parent is not None and node.parent.field.kind is Kind.ARRAY:
        return str(node.parent.children.index(node))
    inside = node.parent is not None and node.parent.field.kind is Kind.OBJECT
    return node.key or ('""' if inside else node.field.title or "value")


def short_hint(node: Node) -> str:
    """The hint as far as one line has room for: the type and the first limits."""
    if node.field.kind is Kind.OBJECT and node.presence is not Presence.OMITTED:
        return ""
    return "" if node.field.kind is Kind.CONST else node.field.hint


def ink_of(node: Node) -> str:
    """The ink of a value that is chosen and not typed."""
    match node.field.kind:
        case Kind.BOOLEAN | Kind.ENUM | Kind.MULTI | Kind.CHOICE:
            return "mcp.accent"
        case _:
            return "mcp.dim"


def pick_of(form: Form, node: Node) -> Pick | None:
    """The list of options that a field can open, None where it has none."""
    match node.field.kind:
        case Kind.ENUM:
            labels: Sequence[str] = [option.label for option in node.field.options]
        case Kind.MULTI:
            return Pick(node, [option.label for option in node.field.options], several=True)
        case Kind.CHOICE:
            labels = form.variant_labels(node.field)
        case _:
            return None
    return Pick(node, labels, index=max(0, node.choice))


def field_facts(node: Node, problems: Sequence[str], room: int = 0) -> Text:
    """What is known about one field, for the lines below the form.

    Its first problem stands below the field in `room` cells; only what that line has to cut off,
    and further problems, are told again here.
    """
    field = node.field
    text = Text(end="")
    head = [field.hint]
    if field.title and field.title != node.key:
        head.insert(0, field.title)
    if field.has_default and not field.hidden:
        head.append(f"default {dump(field.default)}")
    if example := example_of(field.flat):
        head.append(f"e.g. {example}")
    text.append_text(
        safe_text(" · ".join(filter(None, head))[:500], "mcp.dim", keep_newlines=False)
    )
    told = problems[:1] if problems and cell_len(visible(problems[0])) <= room else []
    for message in problems[len(told) : 3]:
        text.append_text(safe_text(f"\n! {message}"[:500], "mcp.error"))
    if node.json is not None:
        why = node.why or "edited as JSON"
        text.append_text(safe_text(f"\nJSON: {why}"[:300], "mcp.warn"))
    return text


def described(node: Node) -> Text:
    """The description that the server gives a field, on one line."""
    return safe_text(" ".join(node.field.description[:4000].split())[:1000])


def one_safe(text: str, width: int, ink: str = "") -> Text:
    """Text of a server on one line of at most `width` cells."""
    shown = one_line(text, width)
    safe = Text(shown, end="", no_wrap=True)
    if ink:
        safe.stylize(ink)
    for start, end in token_spans(shown):
        safe.stylize(TOKEN_STYLE, start, end)
    return safe
