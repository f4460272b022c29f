"""What one negative case is, and what must hold after it: nothing that is secret went where it must
not, nothing is stored, and the error says what is wrong."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.servers.auth_toggles import Toggles

STEPS = ("prm", "metadata", "register", "authorize", "token")
"""The endpoints in the order in which an authorization asks them."""


@dataclass(frozen=True, slots=True)
class Case:
    """One way to be wrong. `says` is a pattern for the error; `stops_before` is the first endpoint
    that must not be asked any more (empty: all may be); `profile` are changes to the user's
    choices."""

    name: str
    toggles: Toggles
    says: str
    stops_before: str = ""
    profile: Mapping[str, object] = field(default_factory=dict)
    consents: int | None = None
    """How many times the browser may be opened at most; None for what the step implies."""

    @property
    def forbidden(self) -> tuple[str, ...]:
        """The endpoints that must get no request."""
        if not self.stops_before:
            return ()
        return STEPS[STEPS.index(self.stops_before) :]

    def is_said_in(self, text: str) -> bool:
        """Whether the error names the fault."""
        return re.search(self.says, text, re.IGNORECASE) is not None


def case_id(case: Case) -> str:
    """For pytest."""
    return case.name.replace(" ", "-")
