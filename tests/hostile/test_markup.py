"""No text of a server is read as markup: what widgets are given is looked up in the code, and 200
texts that are markup are shown, clicked and survived."""

import ast
from pathlib import Path
from typing import Final

import pytest

from inspector.tui.views.prompts import PromptsView
from inspector.tui.views.resources import ResourcesView
from inspector.tui.views.tools import ToolsView
from tests.calm import steady_pilots
from tests.hostile import screens_live
from tests.hostile.everything import Everything
from tests.hostile.test_screens import problems, walking
from tests.servers.hostile_texts import NONCE

TUI: Final = Path(__file__).parents[2] / "inspector" / "tui"
READERS: Final = {
    *(
        "Static",
        "Label",
        "Button",
        "Checkbox",
        "RadioButton",
        "ChoiceButton",
        "Switch",
        "Collapsible",
    ),
    *("TabPane", "Tab", "Option", "Selection", "Select", "OptionList", "SelectionList", "Tree"),
    *("Placeholder", "DataTable", "Link", "Markdown", "notify", "update", "add_column", "add_row"),
    *("add_option", "set_options", "Tooltip", "Hit", "DiscoveryHit"),
}
"""What reads a bare `str` as markup unless told otherwise."""
PARSERS: Final = {"from_markup", "escape_markup", "render_markup"}
TITLES: Final = {"border_title", "border_subtitle", "tooltip", "title", "sub_title", "label"}
"""Attributes of widgets and apps that are read as markup, or go to the terminal's title."""
DRAWN: Final = {
    *("Text", "Content", "safe_text", "shown_text", "Group", "Table", "markdown", "key_hints"),
    *("facts_table", "description", "drawn"),
}
"""Calls whose outcome is no bare `str`, or a safe one."""


def constant(node: ast.expr) -> bool:
    """A text that stands in the code, without markup in it."""
    return isinstance(node, ast.Constant) and "[" not in str(node.value)


def bare(node: ast.expr) -> bool:
    """Whether it is a text put together here: whoever reads it has to be told that it is none."""
    match node:
        case ast.JoinedStr():
            return True
        case ast.BinOp(left=left, right=right):
            return bare(left) or bare(right)
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join" | "format")):
            return True
        case ast.Constant():
            return not constant(node)
    return False


def told_so(call: ast.Call) -> bool:
    """Whether `markup=False` stands there."""
    return any(
        word.arg == "markup" and isinstance(word.value, ast.Constant) and word.value.value is False
        for word in call.keywords
    )


def wrong_calls(source: str) -> list[str]:
    """Where a text may be read as markup."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                attribute = isinstance(target, ast.Attribute) and target.attr in TITLES
                if attribute and not constant(node.value):
                    found.append(f"{node.lineno}: {ast.unparse(node)}")
        if not isinstance(node, ast.Call):
            continue
        name = (
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        )
        said = ast.unparse(node)[:100]
        given = node.args[1:2] if name == "Hit" else node.args[:1]
        read = name in READERS and any(not harmless(name, one) for one in given)
        if name in PARSERS or ((name == "notify" or read) and not told_so(node)):
            found.append(f"{node.lineno}: {said}")
    return found


def harmless(name: str, given: ast.expr) -> bool:
    """Whether what a widget is given is no bare text of unknown origin."""
    if name == "update":  # of a Static with markup off, a set or a mapping
        return not bare(given) or constant(given)
    if constant(given):
        return True
    called = given.func if isinstance(given, ast.Call) else None
    known = getattr(called, "attr", getattr(called, "id", ""))
    return bool(known) and (known in DRAWN or known.startswith("_"))


@pytest.mark.parametrize(
    "wrong",
    [
        "Static(name)",
        "Static(f'{name}')",
        "Label(tool.name)",
        "self.notify(text)",
        "self.notify(f'x {y}', markup=True)",
        "Content.from_markup(x)",
        "Text.from_markup('a')",
        "self.border_title = name",
        "app.title = state.name",
        "Static('[b]x')",
        "head.update(f'a {b}')",
        "OptionList(*names)",
        "Button(name)",
    ],
)
def test_the_look_at_the_code_sees_what_is_wrong(wrong: str) -> None:
    assert wrong_calls(wrong)


@pytest.mark.parametrize(
    "right",
    [
        "Static(name, markup=False)",
        "Static('words')",
        "Label('answer')",
        "Static(safe_text(name))",
        "self.notify(text, markup=False)",
        "head.update(Text('x'))",
        "Static(Text(name, 'mcp.dim'))",
    ],
)
def test_the_look_at_the_code_lets_pass_what_is_right(right: str) -> None:
    assert wrong_calls(right) == []


def test_no_widget_of_ours_is_given_a_text_that_it_would_read_as_markup() -> None:
    found = [
        f"{path.relative_to(TUI)}:{one}"
        for path in sorted(TUI.rglob("*.py"))
        for one in wrong_calls(path.read_text())
    ]
    assert found == []


def markup_texts() -> dict[str, str]:
    """200 texts that mean something to a reader of markup, of Textual's and of Rich's."""
    actions = (
        "app.quit",
        "app.bell",
        "app.simulate_key('ctrl+q')",
        "quit",
        "screen.dismiss",
        "a.b(",
    )
    inside = [
        *(
            "bold",
            "/",
            "/nope",
            "b red on blue",
            "link=http://x",
            "link='x",
            "#f00",
            "$error",
            "not b",
        ),
        *("@click=" + action for action in actions),
        *("@mouse.down=" + action for action in actions),
        *(
            "bold @click=quit",
            "on $primary 50%",
            "",
            " ",
            "[",
            "]",
            "/]",
            "=",
            "a=b",
            "auto on red",
        ),
        *("1", "0:3", "x for x in y", "?", "!", "@", "@click", "@=", "/@click", "b][i", "\\"),
    ]
    shapes = ("[{0}]{1}[/]", "[{0}]{1}", "{1}[{0}", "\\[{0}]{1}\\", "[[{0}]]{1}")
    found = [shape.format(one, f"{NONCE}{n}") for n, one in enumerate(inside) for shape in shapes]
    return {f"markup {number}": text for number, text in enumerate(found[:200])}


@pytest.mark.timeout(300)
async def test_two_hundred_texts_of_markup_are_shown_as_they_stand_and_do_nothing() -> None:
    said = markup_texts()
    assert len(said) == 200
    server = Everything(said)
    with steady_pilots():
        async with walking(server, watched=True) as walk:
            for key, kind in (("2", ToolsView), ("3", ResourcesView), ("4", PromptsView)):
                view = await screens_live.open_tab(walk, key, kind)
                assert isinstance(view, kind)
                await walk.until(lambda rows=view.rows: len(rows.items) > 100)  # type: ignore[misc]
                for place, item in enumerate(view.rows.items[1:201], 1):
                    # Every cell of the line says what stands there, and no click on it does more.
                    drawn = view.rows.draw_line(place, 90).text
                    assert drawn.startswith(f" {item.name}"[:60]), item.name
                await walk.pages(f"list {key}", most=3)
            for group in walk.groups(said.values()):
                for text in group:
                    walk.app.notify_safe(text, title=text)
                await walk.look(f"notifications {group}")
                walk.app.clear_notifications()
    assert problems(walk) == ""
