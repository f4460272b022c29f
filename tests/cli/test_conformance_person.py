"""The consent that the conformance suite's test servers give without a browser."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from inspector.auth.scopes import StepUp
from inspector.cli.conformance_person import REDIRECT_URI, LocationConsent, SuitePerson
from inspector.errors import ConnectionFailed


@contextmanager
def _page(status: int, location: str) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            if location:
                self.send_header("Location", location)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/authorize"
        finally:
            server.shutdown()
            thread.join()


def _fetched(url: str, accepted: bool) -> list[str]:
    taken: list[str] = []

    def take(redirect: str) -> bool:
        taken.append(redirect)
        return accepted

    async def run() -> None:
        consent = LocationConsent()
        assert await consent.open() == REDIRECT_URI
        await consent.fetch(url, take)
        await consent.close()

    asyncio.run(run())
    return taken


def test_the_redirect_is_read_and_never_followed() -> None:
    with _page(302, f"{REDIRECT_URI}?code=c&state=s") as url:
        assert _fetched(url, True) == [f"{REDIRECT_URI}?code=c&state=s"]


def test_a_page_that_redirects_nowhere_or_not_for_us_ends_the_wait() -> None:
    with _page(200, "") as url, pytest.raises(ConnectionFailed, match="no redirect"):
        _fetched(url, True)
    with _page(302, "http://elsewhere/") as url, pytest.raises(ConnectionFailed, match="none of"):
        _fetched(url, False)


def test_a_server_that_is_not_there_is_told() -> None:
    with pytest.raises(ConnectionFailed, match="no answer"):
        _fetched("http://127.0.0.1:1/authorize", True)


def test_the_person_agrees_to_scopes_and_to_no_other_issuer() -> None:
    async def ask() -> tuple[bool, bool, str | None]:
        person = SuitePerson()
        step = StepUp(("a", "b"), ("b",), 1)
        return (
            await person.confirm_scopes(step),
            await person.allow_issuer("https://a", "https://a/"),
            await person.choose_server(("https://a", "https://b")),
        )

    assert asyncio.run(ask()) == (True, False, "https://a")
