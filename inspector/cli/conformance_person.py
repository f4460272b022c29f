"""Who is asked where the conformance suite tests us: says yes to its test server, and gets the
consent of an authorization without a browser.

The suite answers the authorization request with the redirect at once; the redirect is read and
never followed, since nobody listens there.
"""

from collections.abc import Callable
from typing import Final

import httpx

from inspector.auth.registration import Client
from inspector.auth.scopes import StepUp
from inspector.errors import ConnectionFailed

REDIRECT_URI: Final = "http://localhost:3000/callback"
CLIENT_DOCUMENT: Final = "https://conformance-test.local/client-metadata.json"
SECONDS: Final = 10.0


class LocationConsent:
    """Reads the redirect from the answer to the authorization request."""

    async def open(self, wanted: tuple[str, ...] = ()) -> str:
        """The redirect URI that the suite knows."""
        return REDIRECT_URI

    async def fetch(self, url: str, take: Callable[[str], bool]) -> None:
        """Asks for the page and takes the redirect in its answer."""
        try:
            async with httpx.AsyncClient(follow_redirects=False, timeout=SECONDS) as client:
                answer = await client.get(url)
        except httpx.HTTPError as error:
            raise ConnectionFailed(
                f"the authorization endpoint gave no answer ({type(error).__name__})", kind="auth"
            ) from None
        location = answer.headers.get("Location", "")
        if not location:
            raise ConnectionFailed(
                f"the authorization endpoint answered HTTP {answer.status_code}, no redirect",
                kind="auth",
            )
        if not take(location):
            raise ConnectionFailed(
                "the authorization endpoint's redirect is none of this authorization", kind="auth"
            )

    async def close(self) -> None:
        """There is nothing to let go of."""


class SuitePerson:
    """Agrees to what the suite's servers ask for; knows no client beside those of the context."""

    def consent(self) -> LocationConsent:
        """A way without a browser."""
        return LocationConsent()

    async def choose_server(self, issuers: tuple[str, ...]) -> str | None:
        """The first."""
        return issuers[0]

    async def allow_issuer(self, expected: str, found: str) -> bool:
        """Never: the suite tests that it is refused."""
        return False

    async def name_client(self, issuer: str, reason: str) -> Client | None:
        """None."""
        return None

    async def confirm_scopes(self, step_up: StepUp) -> bool:
        """Yes; how often is the driver's decision."""
        return True
