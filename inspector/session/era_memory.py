"""Which era a server was found to speak, so that it is not asked again (2026-07-28
basic/versioning: cached by process or origin, and asked anew where the assumption fails). Pure.

Who remembers, and for how long, is the workbench's business; how a server is asked is
`inspector.session.detect`.
"""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from inspector.config.targets import Target
from inspector.protocol.versions import Era
from inspector.session.detect import NOT_ABOUT_ERA
from inspector.session.state import SessionState

OUTLIVED_NOTHING: Final = "the server did not outlive server/discover and was started again; "


@dataclass(frozen=True, slots=True)
class Remembered:
    """An era, and the story of how it came to be known, which the reason for a revision begins
    with."""

    era: Era
    story: str


class EraMemory:
    """The eras of the servers of one workbench."""

    def __init__(self) -> None:
        self._known: dict[str, Remembered] = {}

    def of(self, target: Target) -> Remembered | None:
        """What is known of the server; None where it has to be asked."""
        return self._known.get(_key(target))

    def keep(self, target: Target, era: Era, story: str = "") -> None:
        """Remembers an era; a story that is known already stays."""
        known = self.of(target)
        if known is None or known.era is not era:
            story = story or f"not asked again, since it spoke the {era.value} era before; "
            self._known[_key(target)] = Remembered(era, story)

    def forget(self, target: Target) -> None:
        """It has to be asked again."""
        self._known.pop(_key(target), None)


def assumption_failed(state: SessionState) -> bool:
    """Whether a session that was opened in a remembered era may have failed because the server
    speaks another now: something was offered, and not just the way there was cut off."""
    if state.ready or not state.offered or state.error is None:
        return False
    return state.error.kind not in NOT_ABOUT_ERA


def _key(target: Target) -> str:
    """The process or the origin."""
    if target.command:
        return "\0".join(target.command)
    parts = urlsplit(target.url)
    return f"{parts.scheme}://{parts.netloc}"
