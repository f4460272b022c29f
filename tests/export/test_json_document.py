"""The JSON document: valid, exact, and harmless."""

import base64
import json

from inspector.export.json_document import timestamp
from inspector.render.safe import DANGEROUS
from tests.export.canary import exported, recording
from tests.journal.conversation import Conversation, request
from tests.servers.hostile_texts import TEXTS


def test_numbers_and_order_of_members_are_token_for_token() -> None:
    talk = Conversation()
    raw = (
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"b":1.10,"a":123456789012345678901,"b":2}}'
    )
    talk.sent(raw)
    written = exported(talk.journal, "json")
    assert raw in written
    entry = json.loads(written)["entries"][-1]
    assert entry["frame"]["params"]["a"] == 123456789012345678901
    assert (entry["kind"], entry["direction"]) == ("request", "out")


def test_what_is_no_json_is_text_and_what_is_no_text_is_base64() -> None:
    talk = Conversation()
    talk.received(b"no json")
    talk.received(b"\xff\xfe{}")
    talk.received(b'{"jsonrpc":"2.0",\n"method":"a"}')
    text, binary, lines = json.loads(exported(talk.journal, "json"))["entries"][-3:]
    assert text["text"] == "no json"
    assert base64.b64decode(binary["base64"]) == b"\xff\xfe{}"
    assert lines["frame"] == {"jsonrpc": "2.0", "method": "a"}


def test_relations_and_states_are_told() -> None:
    document = json.loads(exported(recording(), "json"))
    request, http, result = document["entries"][1:4]
    assert request["partner"] == result["n"]
    assert result["http"] == http["n"]
    assert http["facts"]["method"] == "POST"
    assert result["latencyMs"] >= 0
    assert document["entries"][-1]["facts"]["about"] == document["entries"][-1]["partner"]
    assert document["redacted"] == 0


def test_no_character_of_a_hostile_text_reaches_a_terminal_and_all_come_back() -> None:
    talk = Conversation()
    for number, text in enumerate(TEXTS.values()):
        talk.sent(request(number, "tools/call", name=text))
    written = exported(talk.journal, "json").decode()
    assert DANGEROUS.search(written.replace("\n", "")) is None
    names = [entry["frame"]["params"]["name"] for entry in json.loads(written)["entries"][1:]]
    assert names == list(TEXTS.values())


def test_times_beyond_the_calendar_are_written_all_the_same() -> None:
    assert timestamp(0) == "1970-01-01T00:00:00.000Z"
    assert timestamp(1e30).startswith("9999-12-31")
    assert timestamp(-5).startswith("1970")
