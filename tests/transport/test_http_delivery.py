"""What a body means for its request: pure values in, entries and failures out."""

import httpx
import pytest

from inspector.errors import ConnectionFailed
from inspector.journal.entries import Kind
from inspector.journal.facts import decode_facts
from inspector.journal.journal import Journal
from inspector.protocol.messages import MessageKind, encode_request, encode_result
from inspector.transport.base import Outgoing
from inspector.transport.http_client import Answer
from inspector.transport.http_delivery import Delivery, about_of, is_message, no_response
from tests.transport.wire import RememberingSink

ASKED = Outgoing(encode_request(3, "tools/call"), MessageKind.REQUEST, 3, "tools/call")
TOLD = Outgoing(b"{}", MessageKind.NOTIFICATION, None, "notifications/x")


class Scene:
    """A delivery, its journal and its sink."""

    def __init__(self) -> None:
        self.journal = Journal()
        self.sink = RememberingSink()
        self.delivery = Delivery(self.journal, 1)
        self.delivery.sink = self.sink

    def answer(self, body: bytes, status: int = 200, media: str = "application/json") -> Answer:
        """An answer whose body is read already where it is no JSON of a 2xx."""
        headers = {"Content-Type": media}
        request = httpx.Request("POST", "http://127.0.0.1/")
        stream = httpx.ByteStream(body)
        response = httpx.Response(status, headers=headers, stream=stream, request=request)
        answer = Answer(response, self.journal, 1)
        answer.body = body
        return answer

    def frames(self) -> list[bytes]:
        """What the journal holds as frames."""
        rows = (self.journal.row(number) for number in range(1, len(self.journal) + 1))
        return [self.journal.body(row.number) for row in rows if row.kind.is_frame]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"<html>", "it is not JSON"),
        (encode_result(4711, {}), "it answers the id 4711, not 3"),
        (encode_result("3", {}), "a string is not a number"),
        (encode_request(3, "ping"), "a message of the server's own, ping"),
        (b"[" + encode_result(4, {}) + b"]", "no member of the batch answers it"),
        (b'{"jsonrpc":"2.0","result":{}}', "the result has no id"),
    ],
)
async def test_a_json_body_that_is_no_response_says_why_and_is_kept(body: bytes, why: str) -> None:
    s = Scene()
    await s.delivery.take_json(ASKED, s.answer(body))
    error, number = s.sink.failures[3]
    assert why in error.message
    assert number is not None
    assert s.journal.body(number) == body
    assert s.sink.texts == [body]


async def test_an_empty_body_answers_no_request_and_is_no_fault_of_a_notification() -> None:
    s = Scene()
    await s.delivery.take_json(ASKED, s.answer(b" "))
    assert "an empty body" in s.sink.failures[3][0].message
    await s.delivery.take_json(TOLD, s.answer(b""))
    assert list(s.sink.failures) == [3]


def test_a_message_of_another_content_type_is_shown_but_answers_nothing() -> None:
    s = Scene()
    body = encode_result(3, {})
    s.delivery.take_odd(ASKED, s.answer(body, media="text/plain"))
    error, number = s.sink.failures[3]
    assert "content type text/plain" in error.message
    assert number is not None
    assert s.journal.body(number) == body
    assert s.sink.texts == []


def test_a_result_under_an_error_status_is_shown_but_answers_nothing() -> None:
    s = Scene()
    body = encode_result(3, {})
    s.delivery.take_refused(ASKED, s.answer(body, 500), ConnectionFailed("HTTP 500"))
    error, _ = s.sink.failures[3]
    assert (error.message, s.sink.texts, s.frames()) == ("HTTP 500", [], [body])
    assert "the status denies it" in error.hint


def test_an_error_reply_under_an_error_status_is_handed_on() -> None:
    s = Scene()
    body = b'{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"no"}}'
    s.delivery.take_refused(ASKED, s.answer(body, 400), ConnectionFailed("HTTP 400"))
    assert s.sink.texts == [body]


def test_what_was_not_delivered_is_an_event_and_silence_reigns_while_closing() -> None:
    s = Scene()
    s.delivery.fail(None, ConnectionFailed("gone"), None, "notifications/x")
    assert s.journal.row(1).kind is Kind.EVENT
    assert decode_facts(s.journal.body(1))["reason"] == "gone"
    s.delivery.over = True
    s.delivery.fail(None, ConnectionFailed("gone"), None, "notifications/x")
    s.delivery.fail(3, ConnectionFailed("gone"), None, "tools/call")
    assert (len(s.journal), s.sink.failures) == (1, {})


def test_what_is_about_a_request_and_what_is_a_message() -> None:
    assert (about_of(ASKED), about_of(TOLD)) == (3, None)
    assert is_message(encode_result(1, {}))
    assert not is_message(b"")
    assert not is_message(b"<html>")
    assert "tools/call" in no_response("tools/call", b"7", 3, 9).message
