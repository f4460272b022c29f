"""A list, a form and a result side by side: layout at every size, the list, and its filter.

Decides what is visible and where the focus goes. What an item looks like, what its form is and
what is sent is decided by subclasses; starting requests by `tools_panes`.
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar, Final, Literal

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key
from textual.widget import Widget
from textual.widgets import Input

from inspector.session.catalog import CatalogList, ListKind
from inspector.session.marks import marks_rule
from inspector.session.session import Session
from inspector.tui.views.base import View
from inspector.tui.views.tools_about import AboutItem
from inspector.tui.views.tools_items import (
    Item,
    draw_item,
    list_facts,
    list_words,
    read_items,
)
from inspector.tui.widgets.result import ResultPane
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.rule import Rule
from inspector.tui.widgets.text_box import TextBox

NARROW: Final = 96
"""Cells below which form and result take turns beside the list."""
TINY: Final = 62
"""Cells below which one pane is shown at a time."""
SETTLE_SECONDS: Final = 0.05
"""How long the cursor rests on an item before its form is made."""

Pane = Literal["list", "form", "result"]
PANES: Final[tuple[Pane, ...]] = ("list", "form", "result")


class ListedView(View):
    """Subclasses say what their lists are, and compose and fill the form."""

    TOPICS: ClassVar[tuple[str, ...]] = ("catalog", "calls", "state")
    KINDS: ClassVar[tuple[ListKind, ...]] = ()
    WHAT: ClassVar[str] = "items"
    DEFAULT_CSS = """
    ListedView {
        & #panes { height: 1fr; }
        & #pane-list { width: 26; }
        & #pane-form { width: 1fr; margin-left: 1; }
        & #pane-result { width: 1fr; margin-left: 1; }
        & #form-scroll { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
        & #form-scroll Static { height: auto; }
        & .description { height: auto; max-height: 8; margin-bottom: 1; }
        & AboutItem { height: 1fr; }
        &.-about #form-scroll { display: none; }
        &.-low .description { max-height: 3; }
        &.-low .field { margin-bottom: 0; }
        & #list-filter { display: none; }
        & #list-filter.-open { display: block; }
        &.-wide #pane-list { width: 32; }
        &.-narrow #pane-list { width: 22; }
        &.-narrow #pane-result { display: none; }
        &.-narrow.-result #pane-result { display: block; }
        &.-narrow.-result #pane-form { display: none; }
        &.-tiny #pane-list { width: 1fr; display: none; }
        &.-tiny.-list #pane-list { display: block; }
        &.-tiny #pane-form { display: none; margin-left: 0; }
        &.-tiny.-form #pane-form { display: block; }
        &.-tiny #pane-result { margin-left: 0; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        # Held, not looked up: they are asked for while the view is still being put together.
        self.rows: RowList[Item] = RowList(
            self.draw_item, key=_key_of, haystack=_searched, empty=" …", id="list"
        )
        self.result = ResultPane(id="result")
        self._pane: Pane = "list"
        self._read: dict[ListKind, tuple[CatalogList, list[Item]]] = {}
        self._looked: Session | None = None
        self._shown: Item | None = None
        self._wanted = ""
        self.settling = False
        """The form of the item under the cursor is still to be made."""
        self._composed = False

    @abstractmethod
    def compose_form(self) -> ComposeResult:
        """The widgets of the middle pane, below its heading."""

    @abstractmethod
    async def show_form(self, item: Item | None) -> None:
        """Fill the middle pane for an item."""

    @abstractmethod
    def focus_form(self) -> None:
        """Put the focus into the form."""

    @abstractmethod
    def item_shown(self, *, again: bool) -> None:
        """The form of another item is on screen, or (`again`) of a newer version of the same."""

    # -- layout ---------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Three panes."""
        with Horizontal(id="panes"):
            with Vertical(id="pane-list"):
                yield Rule(self.WHAT, id="list-rule")
                yield TextBox(placeholder="filter", id="list-filter", select_on_focus=False)
                yield self.rows
            with Vertical(id="pane-form"):
                yield Rule(id="form-rule")
                # No stop for Tab of its own: its fields are.
                with VerticalScroll(id="form-scroll", can_focus=False):
                    yield from self.compose_form()
            with Vertical(id="pane-result"):
                yield self.result

    def draw_item(self, item: Item, width: int) -> Text:
        """One line of the list."""
        return draw_item(item, width)

    @property
    def item(self) -> Item | None:
        """The item whose form is shown."""
        return self._shown

    def on_mount(self) -> None:
        """Nothing is chosen yet."""
        self._apply_pane()
        self.set_interval(1, self.grow_older)
        self.call_after_refresh(self._first_look)

    def _first_look(self) -> None:
        """The screen may have told of changes before there was anything to show them in."""
        self._composed = True
        if self.is_attached and self.display:
            self.show_changes(frozenset(self.TOPICS))
            self.go_to_wanted()
            if self.app.focused is None:
                self.focus_first()

    def on_resize(self) -> None:
        """Panes side by side, or in turns."""
        width = self.size.width
        self.set_class(self.size.height < 20, "-low")
        self.set_class(width < NARROW, "-narrow")
        self.set_class(width < TINY, "-tiny")
        self.set_class(width >= 140, "-wide")

    def show_pane(self, pane: Pane) -> None:
        """Make a pane visible where there is not room for all."""
        self._pane = pane
        self._apply_pane()

    def _apply_pane(self) -> None:
        for pane in PANES:
            self.set_class(pane == self._pane, f"-{pane}")

    def focus_first(self) -> None:
        """The list."""
        self.show_pane("list")
        self.rows.focus()

    # -- lists ----------------------------------------------------------------------------------

    def show_changes(self, topics: frozenset[str]) -> None:
        """The lists."""
        if not self._composed:
            return
        session = self.bench.session
        if self._looked is not session and session.state.ready and not self.past:
            self._looked = session
            catalog = session.catalog

            async def look() -> None:
                for kind in self.KINDS:
                    await catalog.look(kind)

            self.bridge.post(look)
        if topics & {"catalog", "state", "subscriptions"}:
            self._show_lists(session)

    def _show_lists(self, session: Session) -> None:
        lists = session.catalog.lists
        marks = marks_rule(session.era, session.transport.kind)
        changed = False
        for kind in self.KINDS:
            listed = lists[kind]
            known = self._read.get(kind)
            # While a list is read again, or cannot be, the old one stays on screen.
            empty = not listed.items and listed.state in ("loading", "unknown")
            if known is not None and empty and not self.past:
                continue
            if known is None or known[0].raw is not listed.raw:
                self._read[kind] = (listed, read_items(listed, marks))
                changed = True
        if changed:
            self.rows.set_items([item for _, items in self._read.values() for item in items])
            self.go_to_wanted()
            if not self.rows.items:
                self.call_later(self._settle)
        first = lists[self.KINDS[0]]
        self.rows.set_empty(list_words(first, self.WHAT, past=self.past))
        self.query_one("#list-rule", Rule).show(facts=self._list_facts(session))
        self.rows.refresh()

    def grow_older(self) -> None:
        """What the server said of the life of a list runs out by itself."""
        session = self._looked
        if session is None or not self.display or not self._composed:
            return
        if any(session.catalog.lists[kind].freshness for kind in self.KINDS):
            self.query_one("#list-rule", Rule).show(facts=self._list_facts(session))

    def _list_facts(self, session: Session) -> Text:
        mine = [session.catalog.lists[kind] for kind in self.KINDS]
        now = session.engine.journal.clock.monotonic()
        return list_facts(mine, len(self.rows.shown), len(self.rows.items), now)

    @on(RowList.Highlighted, "#list")
    def _highlighted(self, event: RowList.Highlighted) -> None:
        event.stop()
        # Scrolling through a long list must not build a form for every line.
        if not self.settling:
            self.settling = True
            self.set_timer(SETTLE_SECONDS, self._settle)

    async def _settle(self) -> None:
        self.settling = False
        item = self.rows.current
        if item is not None and item == self._shown:
            return
        same = item is not None and self._shown is not None and item.key == self._shown.key
        self._shown = item
        await self.show_form(item)
        self.query_one("#form-scroll").scroll_home(animate=False)
        await self._put_about()
        self.item_shown(again=same)

    def show_item(self, name: str) -> None:
        """From the palette or a link."""
        self._wanted = name
        self.go_to_wanted()

    def go_to_wanted(self) -> bool:
        """Go to the item that was asked for, as soon as it is listed; whether that was done."""
        if not self._composed or not self._wanted:
            return False
        for item in self.rows.items:
            if item.name == self._wanted:
                self._wanted = ""
                if not self.rows.select(item.key):
                    self.query_one("#list-filter", Input).value = ""
                    self.rows.set_filter("")
                    self.rows.select(item.key)
                self.show_pane("form")
                return True
        return False

    # -- the page about an item -----------------------------------------------------------------

    def action_about(self) -> None:
        """F7"""
        opening = not self.has_class("-about") and self._shown is not None
        self.set_class(opening, "-about")
        if opening:
            self.show_pane("form")
        # Through the view's own queue, where no other change of the form can come between.
        self.call_later(self._turn_about)

    async def _turn_about(self) -> None:
        inside = any(page.has_focus_within or page.has_focus for page in self.query(AboutItem))
        await self._put_about()
        for page in self.query(AboutItem):
            page.focus()
        if inside and not self.has_class("-about"):
            self.focus_form()

    async def _put_about(self) -> None:
        await self.query(AboutItem).remove()
        if self._shown is None:
            self.remove_class("-about")
        elif self.has_class("-about"):
            await self.query_one("#pane-form").mount(AboutItem(self._shown))

    # -- keys -----------------------------------------------------------------------------------

    def action_back(self) -> None:
        """Escape: out of the page about the item, out of the form, out of the filter."""
        if self.has_class("-about"):
            self.action_about()
        elif self.rows.has_focus:
            self.query_one("#list-filter", Input).value = ""
            self._leave_filter()
        else:
            self.go_to_pane("list")

    def can_go_back(self) -> bool:
        """Whether Escape would do anything."""
        if not self._composed or self.has_class("-about"):
            return self._composed
        form = self.query_one("#pane-form", Widget).has_focus_within
        return form or bool(self.query_one("#list-filter", Input).value)

    def action_next_pane(self) -> None:
        """F6: list, form, result."""
        at: Pane = "list"
        for pane in PANES:
            if self.query_one(f"#pane-{pane}", Widget).has_focus_within:
                at = pane
        self.go_to_pane(PANES[(PANES.index(at) + 1) % len(PANES)])

    def go_to_pane(self, pane: Pane) -> None:
        """Show a pane and put the focus into it."""
        self.show_pane(pane)
        free = self.inspector.typed.hold()
        # What is hidden takes no focus, and a form may be in the making in this view's own queue.
        self.call_after_refresh(self.call_later, self._focus_pane, pane, free)

    async def _focus_pane(self, pane: Pane, free: Callable[[], None]) -> None:
        if pane == "list":
            self.rows.focus()
        elif pane == "result":
            self.result.focus_content()
        else:
            await self.settle()
            if self.has_class("-about"):
                self.query(AboutItem).focus()
            else:
                self.focus_form()
        self.app.call_later(free)  # behind the focus, which takes the same way

    async def settle(self) -> None:
        """The form of the item under the cursor is there; only in this view's own queue."""
        if self.settling:
            await self._settle()

    def on_descendant_focus(self) -> None:
        """Bright headings where the focus is."""
        for pane in ("list", "form"):
            inside = self.query_one(f"#pane-{pane}", Widget).has_focus_within
            self.query_one(f"#{pane}-rule", Rule).light(inside)

    def on_descendant_blur(self) -> None:
        """Calm headings elsewhere."""
        self.call_after_refresh(self.on_descendant_focus)

    def action_filter(self) -> None:
        """/"""
        box = self.query_one("#list-filter", Input)
        self.show_pane("list")
        box.add_class("-open")
        box.focus()

    @on(Input.Changed, "#list-filter")
    def _filter_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.rows.set_filter(event.value)
        if self._looked is not None:
            self.query_one("#list-rule", Rule).show(facts=self._list_facts(self._looked))

    @on(Input.Submitted, "#list-filter")
    def _filter_done(self, event: Input.Submitted) -> None:
        event.stop()
        self._leave_filter()

    def on_key(self, event: Key) -> None:
        """Escape ends the filter, Down goes to the list."""
        box = self.query_one("#list-filter", Input)
        if box.has_focus and event.key in ("escape", "down"):
            event.stop()
            event.prevent_default()
            if event.key == "escape":
                box.value = ""
            self._leave_filter()

    def _leave_filter(self) -> None:
        box = self.query_one("#list-filter", Input)
        box.set_class(bool(box.value), "-open")
        self.rows.focus()


def _key_of(item: Item) -> str:
    return item.key


def _searched(item: Item) -> str:
    return item.searched
