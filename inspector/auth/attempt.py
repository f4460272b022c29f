"""What was tried already for one exchange with the MCP server, and what may still be tried.

Keeps one exchange from asking the person twice, or for scopes without end. What is done about a
refused token is decided by `authority`.
"""

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from inspector.errors import ConnectionFailed

if TYPE_CHECKING:
    from inspector.auth.challenge import BearerChallenge
    from inspector.auth.grant import Grant
    from inspector.auth.scopes import StepUp


class Asks(Enum):
    """What an exchange may do about a refused token beside a refresh."""

    PERSON = "person"
    """Ask the person: the user did something that needs the server."""
    LATER = "later"
    """Wait until somebody else got a token: a stream in the background."""
    NEVER = "never"
    """Nothing: the exchange is not worth it."""


@dataclass(slots=True)
class Attempt:
    """What was tried for one exchange: a refresh, a person, so many requests for more scopes."""

    asks: Asks = Asks.PERSON
    renewed: bool = False
    asked: bool = False
    step_ups: int = 0

    def step_up(self, grant: "Grant", challenge: "BearerChallenge") -> "StepUp | None":
        """What to ask for after a 403, counted; None where the challenge names no scope. Raises
        ConnectionFailed where asking again would lead nowhere."""
        from inspector.auth.scopes import MOST_STEP_UPS, step_up

        before = grant.requested or grant.tokens.scopes
        step = step_up(before, challenge.scopes, self.step_ups)
        if step is None and self.step_ups < MOST_STEP_UPS:
            return None
        if step is None or (self.step_ups and not step.added):
            raise ConnectionFailed(
                f"the server wants other scopes even after {self.step_ups} requests for more",
                hint="the traffic list has its challenges",
                kind="auth",
            )
        self.step_ups = step.attempt
        return step
