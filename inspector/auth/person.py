"""What an authorization needs of the one who sits before it: answers, and a way to a browser.

Front ends implement these: the TUI with its Auth screen, `login` on a terminal, headless commands
by refusing everything. Who may be asked what, and when, is the driver's decision.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from inspector.errors import ConnectionFailed

if TYPE_CHECKING:
    from inspector.auth.registration import Client
    from inspector.auth.scopes import StepUp


class Consent(Protocol):
    """One way to a browser and back. Used once: `open`, `fetch`, `close`."""

    async def open(self, wanted: tuple[str, ...] = ()) -> str:
        """Gets ready for a redirect; the redirect URI, one of `wanted` if it can be had. Raises
        InspectorError."""

    async def fetch(self, url: str, take: Callable[[str], bool]) -> None:
        """Brings the user to `url` and gives each redirect that arrives to `take`, until that
        says that one was ours. Raises InspectorError where the user gives up or time is over."""

    async def close(self) -> None:
        """Lets go of whatever `open` took."""


class Person(Protocol):
    """Who is asked. Every method may raise InspectorError (kind "auth") to end the flow."""

    def consent(self) -> Consent:
        """A way to a browser. Raises ConnectionFailed (kind "auth") where there is none; its hint
        says what to do instead."""

    async def choose_server(self, issuers: tuple[str, ...]) -> str | None:
        """One of the issuers; None to give up."""

    async def allow_issuer(self, expected: str, found: str) -> bool:
        """Whether the other issuer is allowed, this once."""

    async def name_client(self, issuer: str, reason: str) -> "Client | None":
        """A client registered before; None to give up."""

    async def confirm_scopes(self, step_up: "StepUp") -> bool:
        """Whether to ask for more scopes."""


class Nobody:
    """Where nobody can be asked: a command that must go on by itself. `url` is the MCP server's,
    for the hint."""

    def __init__(self, url: str) -> None:
        self._url = url

    def consent(self) -> Consent:
        """Raises ConnectionFailed."""
        raise self._refusal("the server wants authorization")

    async def choose_server(self, issuers: tuple[str, ...]) -> str | None:
        """Raises ConnectionFailed."""
        raise self._refusal("there are several authorization servers to choose from")

    async def allow_issuer(self, expected: str, found: str) -> bool:
        """Raises ConnectionFailed."""
        raise self._refusal("the authorization server names another issuer")

    async def name_client(self, issuer: str, reason: str) -> "Client | None":
        """Raises ConnectionFailed."""
        raise self._refusal(f"a client id is needed: {reason}")

    async def confirm_scopes(self, step_up: "StepUp") -> bool:
        """Raises ConnectionFailed."""
        what = f"the server wants more scopes ({' '.join(step_up.added)})"
        raise self._refusal(what, f" --scope '{' '.join(step_up.scopes)}'")

    def _refusal(self, what: str, options: str = "") -> ConnectionFailed:
        return ConnectionFailed(
            f"{what}, and nobody can be asked here",
            hint=f"log in first: mcp-inspect login {self._url}{options}",
            kind="auth",
            fault="you",
        )
