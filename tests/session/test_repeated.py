"""A server that repeats a secret of ours does not get it onto the screen."""

import json

from inspector.journal.redact import Redactor
from inspector.protocol.messages import JsonObject
from inspector.session.pending import Failure, Success
from inspector.session.repeated import message_without_ours, without_ours
from tests.session.scene import error, ready, result, soon

TOKEN = "canary-token-0123456789"


async def test_a_token_in_a_result_is_masked_for_whoever_looks_at_it() -> None:
    async with ready() as s:
        s.session.engine.journal.redactor.learn(TOKEN)
        call, _ = await s.call()
        text = f"you sent Bearer {TOKEN}"
        said: JsonObject = {"content": [{"type": "text", "text": text}], "n": 1}
        s.server(result(call.id, said))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Success)
        assert TOKEN.encode() not in outcome.raw
        assert TOKEN not in json.dumps(outcome.result)
        assert b"you sent Bearer [masked " in outcome.raw
        assert outcome.raw.endswith(b'"n":1}')


async def test_a_token_in_an_error_is_masked_as_well() -> None:
    async with ready() as s:
        s.session.engine.journal.redactor.learn(TOKEN)
        call, _ = await s.call()
        s.server(error(call.id, -32000, f"bad {TOKEN}", {"token": TOKEN}))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Failure)
        assert outcome.code == -32000
        assert TOKEN not in f"{outcome.message}{outcome.data}{outcome.raw!r}"
        assert outcome.message.startswith("bad [masked ")


async def test_what_looks_like_a_secret_and_is_not_ours_stays_as_it_came() -> None:
    async with ready() as s:
        s.session.engine.journal.redactor.learn(TOKEN)
        call, _ = await s.call()
        said: JsonObject = {"access_token": "theirs-0123456789", "password": "hunter22"}
        s.server(result(call.id, said))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Success)
        assert outcome.result == said


def test_what_has_to_go_back_byte_for_byte_is_not_touched() -> None:
    redactor = Redactor(b"salt")
    redactor.learn(TOKEN)
    body: JsonObject = {"resultType": "input_required", "requestState": TOKEN}
    asking = Success(body, json.dumps(body).encode(), 1)
    assert without_ours(asking, redactor.without_ours) is asking


def test_a_secret_heard_in_a_message_is_not_ours() -> None:
    redactor = Redactor(b"salt")
    redactor.sent(b'{"params":{"arguments":{"token":"abc-0123456789"}}}')
    assert redactor.without_ours(b'"abc-0123456789"') == b'"abc-0123456789"'
    redactor.learn("abc-0123456789")
    assert b"abc-" not in redactor.without_ours(b'"abc-0123456789"')


async def test_a_token_in_a_question_or_a_log_is_masked_and_an_address_to_open_stays() -> None:
    async with ready() as s:
        redactor = s.session.engine.journal.redactor
        redactor.learn(TOKEN)
        form: JsonObject = {"mode": "form", "message": f"you are {TOKEN}", "requestedSchema": {}}
        page: JsonObject = {"mode": "url", "message": "", "url": f"https://a.b/?session={TOKEN}"}

        def said(params: JsonObject, **more: object) -> bytes:
            message = {"jsonrpc": "2.0", "method": "elicitation/create", "params": params, **more}
            return message_without_ours(json.dumps(message).encode(), redactor.without_ours)

        assert TOKEN.encode() not in said(form, id=1)
        assert TOKEN.encode() not in said(form)
        assert f"https://a.b/?session={TOKEN}".encode() in said(page, id=1)
