"""HTTP exchanges as the areas look at them."""

import pytest

from inspector.journal.entries import NO_FLAGS, Direction, HttpFacts, Kind, Row
from inspector.lint.catalog import RULES
from inspector.lint.exchange import Exchange, exchange_in, path_of
from inspector.lint.state import Connection
from inspector.protocol.messages import Json


def _exchange(url: str, home: str = "https://a.example/mcp") -> Exchange:
    row = Row(3, Kind.HTTP, Direction.SENT, 1, 0.0, 0.0, "GET", 0, 2, None, None, NO_FLAGS, 200)
    facts = HttpFacts("GET", url, (("X-A", "1"),), 200, "", (("Content-Type", "TEXT/html; a=b"),))
    return Exchange(RULES, Connection(1, {"url": home}), row, facts)


@pytest.mark.parametrize(
    ("url", "endpoint"),
    [
        ("https://a.example/mcp", True),
        ("https://a.example/mcp/", True),
        ("https://a.example/mcp?key=1", True),
        ("https://b.example/mcp", False),
        ("https://a.example/token", False),
        ("https://a.example/.well-known/oauth-protected-resource/mcp", False),
        ("https://[a.example/mcp", False),
    ],
)
def test_only_the_address_of_the_server_itself_is_its_endpoint(url: str, endpoint: bool) -> None:
    assert _exchange(url).is_endpoint is endpoint


def test_headers_are_found_whatever_their_case() -> None:
    exchange = _exchange("https://a.example/mcp")
    assert exchange.asked == {"x-a": "1"}
    assert exchange.media == "text/html"


def test_what_is_told_once_a_connection_is_told_once() -> None:
    exchange = _exchange("https://a.example/mcp")
    for _ in range(2):
        exchange.once("http/bind-all", "It listens")
    assert [each.message for each in exchange.found if each] == [
        "It listens (told once a connection)."
    ]
    assert exchange.found[0] is not None
    assert exchange.found[0].entries == (3, 2)


def test_what_is_no_address_has_no_path() -> None:
    assert path_of("http://[x") is None


@pytest.mark.parametrize(
    ("said", "number"), [(2, 2), (3, 0), (0, 0), (-1, 0), (10**30, 0), ("2", 0), (None, 0)]
)
def test_an_event_is_about_an_exchange_before_it_or_about_none(said: Json, number: int) -> None:
    row = Row(3, Kind.EVENT, Direction.LOCAL, 1, 0, 0, "x", 0, None, None, None, NO_FLAGS, None)
    assert exchange_in({"http": said}, row) == number
