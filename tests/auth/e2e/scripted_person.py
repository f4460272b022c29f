"""Somebody who sits before the program and does as the test says, with the scripted browser."""

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field

from inspector.auth.person import Consent
from inspector.auth.registration import Client
from inspector.auth.scopes import StepUp
from inspector.errors import ConnectionFailed
from tests.servers.scripted_browser import redirect_of

BACK = "http://127.0.0.1:1/back"
"""Nobody listens there: the scripted browser stops before it."""


@dataclass(slots=True)
class Person:
    """Answers as set, and remembers what was asked."""

    issuer: str | None = None
    """The authorization server chosen where there are several."""
    allows_issuer: bool = False
    client: Client | None = None
    confirms: bool = True
    trust: ssl.SSLContext | None = None
    asked: list[str] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    """What was opened in the browser."""

    def consent(self) -> Consent:
        return Browsing(self)

    async def choose_server(self, issuers: tuple[str, ...]) -> str | None:
        self.asked.append("server")
        return self.issuer if self.issuer in issuers else None

    async def allow_issuer(self, expected: str, found: str) -> bool:
        self.asked.append("issuer")
        return self.allows_issuer

    async def name_client(self, issuer: str, reason: str) -> Client | None:
        self.asked.append("client")
        return self.client

    async def confirm_scopes(self, step_up: StepUp) -> bool:
        self.asked.append("scopes")
        return self.confirms


class Browsing:
    """Consent by the scripted browser, whose last redirect is not asked but handed over."""

    def __init__(self, person: Person) -> None:
        self.person = person

    async def open(self, wanted: tuple[str, ...] = ()) -> str:
        return BACK

    async def fetch(self, url: str, take: Callable[[str], bool]) -> None:
        self.person.urls.append(url)
        try:
            redirect = await asyncio.to_thread(redirect_of, url, BACK, self.person.trust)
        except RuntimeError as error:
            raise ConnectionFailed(f"nobody came back: {error}", kind="auth") from None
        if not take(redirect):
            raise ConnectionFailed("nobody came back with the right state", kind="auth")

    async def close(self) -> None:
        pass
