"""The listener for the redirect: only the right one ends the wait, whatever else arrives."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

from inspector.auth.authorize import (
    Granted,
    NotOurs,
    PendingAuthorization,
    RedirectOutcome,
    authorization_request,
)
from inspector.auth.callback import (
    LONGEST_HEAD,
    MOST_CONNECTIONS,
    Place,
    read_place,
)
from inspector.auth.metadata import AuthorizationServer
from inspector.auth.secret import Secret
from inspector.errors import ConnectionFailed, InspectorError, UsageError
from tests.auth.waiting import LIMIT, PAGE, RIGHT, Wait


@pytest.fixture
async def wait() -> AsyncIterator[Wait]:
    found = await Wait().start()
    yield found
    await found.stop()


async def test_the_right_redirect_ends_the_wait(wait: Wait) -> None:
    status, page = await wait.get(RIGHT)
    assert status == 200
    await wait.end()
    assert wait.asked == [f"{wait.uri}{RIGHT}"]
    assert (wait.announced, wait.opened, wait.said) == ([PAGE], [PAGE], [])
    assert "c0de" not in page
    assert "st4te" not in page


async def test_it_listens_on_this_machine_only_at_a_path_of_its_own() -> None:
    first, second = await Wait().start(), await Wait().start()
    try:
        for one in (first, second):
            parts = urlsplit(one.uri)
            assert (parts.scheme, parts.hostname) == ("http", "127.0.0.1")
            assert len(parts.path) > 32
            sockets = one.consent._server.sockets if one.consent._server else ()
            assert [bound.getsockname()[0] for bound in sockets] == ["127.0.0.1"]
        assert urlsplit(first.uri).path != urlsplit(second.uri).path
    finally:
        await first.stop()
        await second.stop()


async def test_after_a_thousand_wrong_callbacks_the_right_one_is_taken(wait: Wait) -> None:
    wrong = [
        "?error=access_denied",
        "?error=access_denied&state=other",
        "?code=c0de",
        "?code=c0de&state=",
        "?code=c0de&state=st4te&state=st4te",
        "?code=c0de&state=other",
        "",
        "?" + "a=b&" * 300,
    ]
    for number in range(1000):
        status, _ = await wait.get(wrong[number % len(wrong)])
        assert status == 400
    assert wait.waiting
    assert len(wait.asked) == 1000
    assert (await wait.get(RIGHT))[0] == 200
    await wait.end()


async def test_a_thousand_wrong_callbacks_at_once_do_not_keep_the_right_one_out(wait: Wait) -> None:
    async def one_wrong() -> None:
        with suppress(OSError, IndexError, ValueError):  # too many at once: shown the door
            await wait.get("?error=x")

    async with asyncio.TaskGroup() as group:
        for _ in range(1000):
            group.create_task(one_wrong())
    assert wait.waiting
    assert (await wait.get(RIGHT))[0] == 200
    await wait.end()


@pytest.mark.parametrize("method", ["POST", "HEAD", "PUT", "OPTIONS", "get", "CONNECT"])
async def test_only_get_is_heard(wait: Wait, method: str) -> None:
    status, page = await wait.get(RIGHT, method=method)
    assert status == 405
    assert "Allow: GET" in page
    assert page.endswith("\r\n\r\n") is (method == "HEAD")
    assert wait.asked == []
    assert wait.waiting


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", "", "127.0.0.1:{port}.evil.example"],
)
async def test_only_its_own_address_is_heard(wait: Wait, host: str) -> None:
    status, _ = await wait.get(RIGHT, host=host.format(port=urlsplit(wait.uri).port))
    assert status == 421
    assert wait.asked == []
    assert wait.waiting


@pytest.mark.parametrize("hosts", ["", "Host: {host}\r\nHost: {host}\r\n", "Host : {host}x\r\n"])
async def test_a_request_needs_exactly_one_host(wait: Wait, hosts: str) -> None:
    parts = urlsplit(wait.uri)
    head = f"GET {parts.path}{RIGHT} HTTP/1.1\r\n{hosts.format(host=parts.netloc)}\r\n"
    assert (await wait.send(head))[0] == 421
    assert wait.asked == []


@pytest.mark.parametrize("path", ["/", "/favicon.ico", "/callback", "/callback/", "*"])
async def test_other_paths_are_nothing(wait: Wait, path: str) -> None:
    assert (await wait.get(RIGHT, path=path))[0] == 404
    assert wait.asked == []
    assert wait.waiting


async def test_a_whole_url_is_no_path(wait: Wait) -> None:
    assert (await wait.get(RIGHT, path=wait.uri))[0] == 404
    assert wait.asked == []


@pytest.mark.parametrize(
    "request_", ["\r\n\r\n", "GET\r\n\r\n", "GET / SPDY/3\r\n\r\n", "\x16\x03\x01 a b c\r\n\r\n"]
)
async def test_what_is_no_request_is_refused(wait: Wait, request_: str) -> None:
    assert (await wait.send(request_))[0] == 400
    assert wait.waiting


async def test_a_huge_header_ends_only_its_own_connection(wait: Wait) -> None:
    reader, writer = await wait.connect()
    writer.write(b"GET / HTTP/1.1\r\nX: " + b"x" * (8 * LONGEST_HEAD))
    async with asyncio.timeout(LIMIT):
        with suppress(ConnectionError):  # the rest of the header was still on its way
            assert b" 431 " in await reader.read()
    writer.close()
    assert wait.waiting
    assert (await wait.get(RIGHT))[0] == 200
    await wait.end()


async def test_silent_and_slow_connections_do_not_block_the_right_one(wait: Wait) -> None:
    slow = [await wait.connect() for _ in range(3 * MOST_CONNECTIONS)]
    for _, writer in slow:
        writer.write(b"GET /call")
    assert (await wait.get(RIGHT))[0] == 200
    await wait.end()
    assert len(wait.consent._connections) <= MOST_CONNECTIONS
    await wait.consent.close()
    async with asyncio.timeout(LIMIT):
        for reader, writer in slow:
            with suppress(ConnectionError):
                assert await reader.read() == b""
            writer.close()


async def test_a_connection_that_ends_early_changes_nothing(wait: Wait) -> None:
    for sent in (b"", b"GET / HT"):
        _, writer = await wait.connect()
        writer.write(sent)
        writer.close()
        await writer.wait_closed()
    assert (await wait.get(RIGHT))[0] == 200
    await wait.end()


async def test_the_right_redirect_counts_once(wait: Wait) -> None:
    assert (await wait.get(RIGHT))[0] == 200
    assert (await wait.get(RIGHT))[0] == 410
    await wait.end()
    assert len(wait.asked) == 1


async def test_an_error_with_a_wrong_state_does_not_end_the_wait_and_our_code_does() -> None:
    """T17 with the judge that really sits behind the listener."""
    outcomes: list[RedirectOutcome] = []
    pending: list[PendingAuthorization] = []

    def take(redirect: str) -> bool:
        outcomes.append(pending[0].take(redirect))
        return pending[0].ended

    found = await Wait().start(take)
    server = AuthorizationServer("https://auth.example.com", "https://auth.example.com/token")
    request = authorization_request(
        server,
        client_id="c",
        redirect_uri=found.uri,
        resource=None,
        scopes=None,
        state=Secret("st4te"),
        verifier=Secret("v" * 43),
    )
    pending.append(PendingAuthorization(request))
    try:
        for query in ("?error=access_denied&state=wrong", "?error=access_denied", "?code=x"):
            assert (await found.get(query))[0] == 400
        assert found.waiting
        assert (await found.get(RIGHT))[0] == 200
        await found.end()
        assert all(isinstance(outcome, NotOurs) for outcome in outcomes[:-1])
        assert outcomes[-1] == Granted(Secret("c0de"))
    finally:
        await found.stop()


async def test_a_failure_of_the_flow_ends_the_wait_with_it() -> None:
    def take(_: str) -> bool:
        raise InspectorError("the flow is broken")

    found = await Wait().start(take)
    try:
        await found.get(RIGHT)
        with pytest.raises(InspectorError, match="the flow is broken"):
            await found.end()
    finally:
        await found.stop()


async def test_after_five_minutes_the_wait_is_over() -> None:
    now = [1000.0]
    found = await Wait(clock=lambda: now[0]).start()
    try:
        now[0] += 299
        assert (await found.get("?error=x"))[0] == 400
        assert found.waiting
        now[0] += 2
        with pytest.raises(ConnectionFailed, match="within 5 minutes") as caught:
            await found.end()
        assert caught.value.kind == "auth"
        assert "--paste" in caught.value.hint
    finally:
        await found.stop()


async def test_the_wait_can_be_given_up_and_the_port_is_free_again(wait: Wait) -> None:
    assert wait.ending is not None
    wait.ending.cancel()
    await asyncio.wait([wait.ending])
    assert wait.ending.cancelled()
    await wait.consent.close()
    with pytest.raises(OSError, match=r"."):
        await wait.connect()
    await wait.consent.close()


async def test_where_no_browser_opens_the_user_is_told_and_the_wait_goes_on() -> None:
    async def none(_: str) -> None:
        found.browser.set()
        raise UsageError("no browser was found")

    found = Wait()
    found.consent._opener = none
    await found.start()
    try:
        assert (await found.get(RIGHT))[0] == 200
        await found.end()
        assert found.said == ["no browser was found; open the address above yourself"]
    finally:
        await found.stop()


async def test_the_answer_may_come_while_the_opener_still_asks_the_user() -> None:
    given_up: list[str] = []

    async def asking(url: str) -> None:
        found.browser.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            given_up.append(url)
            raise

    found = Wait()
    found.consent._opener = asking
    await found.start()
    try:
        assert (await found.get(RIGHT))[0] == 200
        await found.end()
        assert given_up == [PAGE]
    finally:
        await found.stop()


async def test_a_redirect_uri_that_is_registered_is_taken_again(wait: Wait) -> None:
    uri = wait.uri
    await wait.stop()
    again = Wait()
    try:
        assert await again.consent.open(("https://else.example.com/cb", uri)) == uri
    finally:
        await again.stop()


async def test_where_the_registered_port_is_taken_another_one_is_listened_at(wait: Wait) -> None:
    other = Wait()
    try:
        uri = await other.consent.open((wait.uri,))
        assert uri != wait.uri
        assert urlsplit(uri).hostname == "127.0.0.1"
    finally:
        await other.stop()


async def test_a_redirect_uri_of_the_users_is_kept_with_any_free_port() -> None:
    found = Wait(redirect_uri="http://localhost/my/path")
    try:
        uri = await found.consent.open(("http://127.0.0.1:1/registered",))
        parts = urlsplit(uri)
        assert (parts.hostname, parts.path) == ("localhost", "/my/path")
        assert parts.port
    finally:
        await found.stop()


async def test_a_port_of_the_users_that_is_taken_is_an_error_and_no_other_one() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        consent = Wait(redirect_uri=f"http://127.0.0.1:{port}/cb").consent
        with pytest.raises(ConnectionFailed, match=f"cannot listen .* 127.0.0.1:{port}") as caught:
            await consent.open()
        assert caught.value.kind == "auth"
        await consent.close()


@pytest.mark.parametrize(
    "uri",
    [
        "https://127.0.0.1/cb",
        "http://example.com/cb",
        "http://127.0.0.1.example.com/",
        "http://user@127.0.0.1/",
        "http://127.0.0.1:x/",
        "http://127.0.0.1/?a=b",
        "http://127.0.0.1/#a",
        "http://0.0.0.0/cb",
        "127.0.0.1:8000/cb",
    ],
)
def test_what_is_not_on_this_machine_cannot_be_listened_at(uri: str) -> None:
    assert read_place(uri) is None
    with pytest.raises(UsageError, match="cannot be listened at"):
        Wait(redirect_uri=uri)


def test_a_place_knows_what_browsers_send_as_host() -> None:
    assert read_place("http://[::1]:99/cb") == Place("::1", 99, "/cb")
    assert Place("::1", 99, "/cb").uri == "http://[::1]:99/cb"
    assert Place("127.0.0.1", 80, "/").authority == "127.0.0.1"
    assert read_place("http://localhost") == Place("localhost", 0, "/")


async def test_the_page_runs_nothing_and_tells_nobody_its_address(wait: Wait) -> None:
    _, page = await wait.get("?error=<script>alert(1)</script>&error_description=pay+me")
    assert "script" not in page.partition("\r\n\r\n")[2]
    assert "pay" not in page
    head = page.partition("\r\n\r\n")[0]
    assert "default-src 'none'" in head
    assert "Referrer-Policy: no-referrer" in head
    assert "Cache-Control: no-store" in head
