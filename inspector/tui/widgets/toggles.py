"""Radio buttons and check boxes whose mark says without any colour whether they are on.

Textual draws the same mark for both states and tells them apart by colour alone.
"""

from typing import Final

from textual.content import Content
from textual.widgets import Checkbox, RadioButton

OFF: Final = " "


class ChoiceButton(RadioButton):
    """One of several."""

    def render(self) -> Content:
        """The mark only where it is chosen."""
        self.BUTTON_INNER = RadioButton.BUTTON_INNER if self.value else OFF
        return super().render()


class Switch(Checkbox):
    """On or off."""

    def render(self) -> Content:
        """The mark only where it is on."""
        self.BUTTON_INNER = Checkbox.BUTTON_INNER if self.value else OFF
        return super().render()
