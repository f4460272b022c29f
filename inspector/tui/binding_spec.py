"""The shape of one row in the table of keys; the table is `inspector.tui.bindings`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BindingSpec:
    """One action and its keys.

    `id` is "scope.name" and is what a keymap file names; `keys` is comma-separated in Textual's
    spelling; `action` is looked up on the class that uses the scope; `show` puts it into the
    footer; `priority` lets it win over the focused widget.
    """

    id: str
    keys: str
    action: str
    description: str
    tooltip: str
    show: bool = False
    priority: bool = False
    key_display: str | None = None

    @property
    def scope(self) -> str:
        """The part of the id before the dot: which class binds it."""
        return self.id.partition(".")[0]
