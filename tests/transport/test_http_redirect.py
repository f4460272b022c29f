"""Which redirects may be followed."""

import httpx
import pytest

from inspector.errors import ConnectionFailed
from inspector.transport.http_redirect import redirect_target

HERE = httpx.URL("http://127.0.0.1:8000/mcp")


@pytest.mark.parametrize("status", [307, 308])
@pytest.mark.parametrize(
    "location",
    [
        "/mcp/",
        "mcp/",
        "?a=1",
        "///evil.example/mcp",  # a path for us, whatever browsers make of it
        "http://127.0.0.1:8000/other",
        "//127.0.0.1:8000/x",
        "HTTP://127.0.0.1:8000/y",
    ],
)
def test_the_same_origin_is_followed(status: int, location: str) -> None:
    target = redirect_target(status, HERE, location, [HERE])
    assert (target.scheme, target.host, target.port) == ("http", "127.0.0.1", 8000)


@pytest.mark.parametrize(
    "location",
    [
        "https://127.0.0.1:8000/mcp",
        "http://127.0.0.1:8001/mcp",
        "http://127.0.0.1/mcp",
        "http://localhost:8000/mcp",
        "http://evil.example/mcp",
        "//evil.example/mcp",
        "http://127.0.0.1:8000@evil.example/",
        "http://user:secret@127.0.0.1:8000/mcp",
        "http://user@evil.example:8000/mcp",
        "http://127.0.0.1.evil.example:8000/",
        "http://127.0.0.1:8000.evil.example/",
        "ftp://127.0.0.1:8000/mcp",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "http://[::1]:8000/mcp",
        "http://[bad",
        "",
        None,
    ],
)
@pytest.mark.parametrize("status", [307, 308])
def test_anything_else_is_refused(status: int, location: str | None) -> None:
    with pytest.raises(ConnectionFailed) as caught:
        redirect_target(status, HERE, location, [HERE])
    assert caught.value.kind == "redirect"
    assert "secret" not in caught.value.message


@pytest.mark.parametrize("status", [301, 302, 303])
def test_statuses_that_change_the_method_are_refused_with_the_target_named(status: int) -> None:
    with pytest.raises(ConnectionFailed, match=r"http://127\.0\.0\.1:8000/mcp/"):
        redirect_target(status, HERE, "/mcp/", [HERE])


def test_circles_and_long_chains_are_refused() -> None:
    other = httpx.URL("http://127.0.0.1:8000/b")
    with pytest.raises(ConnectionFailed, match="in a circle"):
        redirect_target(307, other, "/mcp", [HERE, other])
    chain = [httpx.URL(f"http://127.0.0.1:8000/{number}") for number in range(6)]
    with pytest.raises(ConnectionFailed, match="more than 5 redirects"):
        redirect_target(307, chain[-1], "/next", chain)
