"""The looks of the app: its themes, their inks for rich text, and the wall before the terminal.

Decides what a colour is and that nothing dangerous leaves; what is drawn is everybody else's.
"""

from textual.app import App
from textual.filter import LineFilter
from textual.theme import Theme

from inspector.tui.themes import register_palettes, rich_inks
from inspector.tui.wall import Wall


class DressedApp(App[int], inherit_bindings=False):
    """An app with our palettes."""

    def __init__(self) -> None:
        self._wall = Wall()
        self._inked = False
        super().__init__()
        self.problems: tuple[str, ...] = ()
        """What was wrong with files of the user's; shown once."""
        self.theme_names: tuple[str, ...] = ()
        """The themes there are, the default first."""

    def action_next_theme(self) -> None:
        """F10."""
        if self.theme_names:
            place = self.theme_names.index(self.theme) + 1 if self.theme in self.theme_names else 0
            self.theme = self.theme_names[place % len(self.theme_names)]
            self.notify(self.theme, title="Theme", markup=False)

    def load_themes(self, wanted: str) -> None:
        """Takes every palette there is and begins with the one called `wanted`."""
        self.theme_names, problems = register_palettes(self)
        self.problems += problems
        if wanted and wanted not in self.theme_names:
            self.problems += (f"there is no theme {wanted!r}",)
        if self.theme_names:
            self.theme = wanted if wanted in self.theme_names else self.theme_names[0]
        self._use_inks(self.current_theme)

    def _watch_theme(self, theme_name: str) -> None:
        self._use_inks(self.get_theme(theme_name) or self.current_theme)
        super()._watch_theme(theme_name)

    def refresh_css(self, animate: bool = True) -> None:
        """Before there is a screen only the variables count; the screen's parse takes them."""
        if self.screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def _use_inks(self, theme: Theme) -> None:
        if self._inked:
            self.console.pop_theme()
        self._inked = True
        self.console.push_theme(rich_inks(theme))

    def get_line_filters(self) -> list[LineFilter]:
        """Nothing dangerous leaves, whatever a widget drew."""
        return [*super().get_line_filters(), self._wall]
