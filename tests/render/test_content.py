"""Every kind of content becomes a block, and no content is ever hidden."""

import base64
import io
import json
import wave
from typing import cast

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from inspector.protocol.messages import Json, JsonObject
from inspector.render.content import (
    content_block,
    message_blocks,
    resource_block,
    resource_blocks,
    result_blocks,
    size_words,
)
from inspector.render.safe import DANGEROUS


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _png(width: int = 4, height: int = 3) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(file, "PNG")
    return file.getvalue()


def _wav() -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"\0\0" * 4000)
    return file.getvalue()


def test_text_is_text_markdown_or_json() -> None:
    assert content_block({"type": "text", "text": "hello"}).form == "text"
    assert content_block({"type": "text", "text": "# Title\n\n- a"}).form == "markdown"
    block = content_block({"type": "text", "text": '{"a": 1.10}'})
    assert (block.form, block.data) == ("json", b'{"a": 1.10}')
    assert content_block({"type": "text", "text": "[not json"}).form == "text"


def test_a_picture_says_what_it_is_before_it_is_decoded() -> None:
    block = content_block({"type": "image", "data": _b64(_png()), "mimeType": "image/png"})
    assert (block.form, block.extension) == ("picture", ".png")
    assert "PNG 4x3" in block.facts
    assert block.payload == _png()


def test_a_picture_with_a_wrong_type_says_so() -> None:
    block = content_block({"type": "image", "data": _b64(_png()), "mimeType": "image/gif"})
    assert block.note == "is PNG, not image/gif"
    assert block.extension == ".png"


def test_a_picture_that_is_none_is_shown_as_bytes() -> None:
    block = content_block({"type": "image", "data": _b64(b"hello"), "mimeType": "image/png"})
    assert block.form == "hex"
    assert "cannot be read" in block.note


def test_broken_base64_is_shown_as_the_text_that_came() -> None:
    block = content_block({"type": "image", "data": "not base64!", "mimeType": "image/png"})
    assert (block.form, block.text) == ("text", "not base64!")
    assert "base64" in block.note


def test_sound_is_facts_and_can_be_saved() -> None:
    block = content_block({"type": "audio", "data": _b64(_wav()), "mimeType": "audio/wav"})
    assert block.form == "facts"
    assert "WAV 0.5 s 8000 Hz mono" in block.facts
    assert block.payload == _wav()


def test_a_link_keeps_its_address() -> None:
    block = content_block({"type": "resource_link", "uri": "demo://a", "name": "A", "size": 2000})
    assert (block.kind, block.uri) == ("link", "demo://a")
    assert block.facts == "demo://a · A · 2 kB"


def test_an_embedded_resource_is_drawn_by_its_type() -> None:
    resource: JsonObject = {"uri": "demo://a", "mimeType": "text/markdown", "text": "*a*"}
    block = content_block({"type": "resource", "resource": resource})
    assert (block.kind, block.form) == ("embedded resource", "markdown")
    assert block.uri == "demo://a"


def test_unknown_and_invalid_kinds_are_shown_raw_and_say_so() -> None:
    unknown = content_block({"type": "hologram", "x": 1})
    assert (unknown.kind, unknown.form) == ("hologram", "json")
    assert "raw" in unknown.note
    invalid = content_block({"type": "text"})
    assert (invalid.kind, invalid.form) == ("invalid text", "json")
    assert "missing" in invalid.note
    assert content_block("nonsense").kind == "invalid block"


def test_a_result_shows_content_structured_content_and_what_nobody_knows() -> None:
    raw = b'{"content":[{"type":"text","text":"5"}],"structuredContent":{"n":1.10},"odd":1}'
    blocks = result_blocks(json.loads(raw), raw)
    assert [block.kind for block in blocks] == ["text", "structuredContent", "odd"]
    assert blocks[1].data == b'{"n":1.10}'


def test_what_every_modern_result_carries_is_no_content_unless_it_is_odd() -> None:
    usual: JsonObject = {
        "contents": [{"uri": "a:b", "text": "t"}],
        "resultType": "complete",
        "ttlMs": 5000,
        "cacheScope": "public",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "s"}},
    }

    def kinds(result: JsonObject) -> list[str]:
        return [block.kind for block in resource_blocks(result, json.dumps(result).encode())]

    assert kinds(usual) == ["resource"]
    assert kinds({**usual, "resultType": "odd"}) == [
        "resource",
        "resultType",
        "ttlMs",
        "cacheScope",
        "_meta",
    ]
    assert kinds({**usual, "cacheScope": "shared"}) == ["resource", "ttlMs", "cacheScope"]
    assert kinds({**usual, "_meta": {"mine": 1}}) == ["resource", "_meta"]


def test_results_that_are_none_are_shown() -> None:
    assert result_blocks(5, b"5")[0].note == "is not an object"
    assert result_blocks({"content": 5}, b'{"content":5}')[0].note == "is not an array"
    assert result_blocks({}, b"{}") == []
    assert resource_blocks({}, b"{}")[0].note == "has no array of contents"
    assert message_blocks({}, b"{}")[0].note == "has no array of messages"


def test_resources_are_drawn_by_mime_type() -> None:
    def form(mime: str, text: str) -> str:
        return resource_block({"uri": "a:b", "mimeType": mime, "text": text}).form

    assert form("application/json", "{}") == "json"
    assert form("application/ld+json; charset=utf-8", "{}") == "json"
    assert form("text/markdown", "a") == "markdown"
    assert form("text/plain", "# a") == "text"
    assert form("", "# a") == "markdown"
    blob: JsonObject = {"uri": "a:b", "mimeType": "application/pdf", "blob": _b64(b"%PDF")}
    assert (resource_block(blob).form, resource_block(blob).extension) == ("hex", ".pdf")
    picture: JsonObject = {"uri": "a:b", "mimeType": "image/png", "blob": _b64(_png())}
    assert resource_block(picture).form == "picture"


def test_a_resource_with_text_and_blob_or_neither_says_so() -> None:
    both = resource_block({"uri": "a:b", "text": "t", "blob": "AA=="})
    assert (both.text, both.note) == ("t", "has both text and blob; this is the text")
    neither = resource_block({"uri": "a:b"})
    assert neither.note == "has neither text nor blob"


def test_prompt_messages_keep_their_roles() -> None:
    result: JsonObject = {
        "messages": [
            {"role": "user", "content": {"type": "text", "text": "hi"}},
            {"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "x"}]},
            {"content": 1},
        ]
    }
    blocks = message_blocks(result, json.dumps(result).encode())
    assert [(block.role, block.kind) for block in blocks] == [
        ("user", "text"),
        ("assistant", "text"),
        ("assistant", "x"),
        ("", "invalid message"),
    ]


def test_sizes_are_said_in_words() -> None:
    assert [size_words(size) for size in (0, 999, 1000, 51_234, 5_100_000, 2_000_000_000)] == [
        "0 B",
        "999 B",
        "1 kB",
        "51.2 kB",
        "5.1 MB",
        "2 GB",
    ]


ANY_JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.text(max_size=6),
        st.sampled_from(["text", "image", "audio", "resource", "resource_link", "\x1b[0m"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.one_of(
                st.sampled_from(
                    [
                        "type",
                        "text",
                        "data",
                        "mimeType",
                        "uri",
                        "blob",
                        "resource",
                        "content",
                        "messages",
                        "role",
                    ]
                ),
                st.text(max_size=3),
            ),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=12,
)


@given(ANY_JSON)
def test_anything_becomes_blocks_with_safe_headings(value: object) -> None:
    sent = cast("Json", value)
    raw = json.dumps(value).encode()
    for blocks in (result_blocks(sent, raw), resource_blocks(sent, raw), message_blocks(sent, raw)):
        for block in blocks:
            for shown in (block.kind, block.facts, block.note, block.role):
                assert DANGEROUS.search(shown) is None
