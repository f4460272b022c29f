"""Content of results, resources and prompt messages as blocks that say how they want to be drawn.

Decides for each piece whether it is text, Markdown, JSON, a picture, sound, a link or plain bytes,
which facts stand above it, and what to fall back to, saying why. Nothing is decoded beyond the
caps. Which widget draws a block, and whether a schema agrees with it, is decided elsewhere.
"""

import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from inspector.protocol.messages import Json, JsonObject, encode_json, raw_items, raw_members
from inspector.protocol.models import (
    AudioContent,
    EmbeddedResource,
    ImageContent,
    Invalid,
    ResourceContents,
    ResourceLink,
    TextContent,
    read_content,
    read_contents,
)
from inspector.render.audio import audio_facts
from inspector.render.markdown import looks_like_markdown
from inspector.render.picture import BYTES_CAP, picture_facts
from inspector.render.safe import one_line, visible
from inspector.session.freshness import freshness_of
from inspector.session.modern import META_SERVER

Form = Literal["text", "markdown", "json", "picture", "hex", "facts"]
"""How a block is drawn; "facts" has nothing below its heading."""

SCOPES: Final = ("public", "private")
FACT_WIDTH: Final = 60
"""Cells of a text of the server inside a heading."""


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of content.

    `kind` is its type in our words, `facts` a line about it that is safe to draw, `text` or `data`
    what is drawn and saved, `raw` its exact JSON text, `uri` where it points to or comes from,
    `note` why it is not drawn as it was meant to be, `role` whose message it is (prompts only).
    """

    kind: str
    form: Form
    facts: str = ""
    text: str = ""
    data: bytes = b""
    raw: bytes = b""
    uri: str = ""
    note: str = ""
    role: str = ""
    extension: str = ""

    @property
    def payload(self) -> bytes:
        """What saving writes and copying copies: decoded data, text, or the JSON text."""
        return self.data or self.text.encode("utf-8", "surrogatepass") or self.raw


def size_words(size: int) -> str:
    """`size` bytes in words, e.g. `5.1 MB`."""
    size = max(-(10**30), min(size, 10**30))  # a server may claim more than a float holds
    if size < 1000:
        return f"{size} B"
    for unit, power in (("kB", 1e3), ("MB", 1e6)):
        if size < power * 999.5:
            return f"{size / power:.3g} {unit}"
    return f"{size / 1e9:.3g} GB"


def result_blocks(result: Json, raw: bytes) -> list[Block]:
    """The blocks of a tool's result; `raw` is the exact text of the result.

    A result that is none is one block that says so; members that no revision knows come last.
    """
    if not isinstance(result, dict):
        return [_json("result", raw, note="is not an object")]
    members = raw_members(raw)
    blocks = _blocks_of(result.get("content"), members.get("content", b""), "content" in result)
    if "structuredContent" in members:
        blocks.append(_json("structuredContent", members["structuredContent"]))
    blocks.extend(_beyond(result, members, "content", "structuredContent", "isError"))
    return blocks


def _beyond(result: JsonObject, members: Mapping[str, bytes], *known: str) -> Iterator[Block]:
    """The members that are not `known`, without those that say nothing more in the modern era: a
    `resultType` that is the usual one, caching hints that are told elsewhere, the server's name."""
    quiet = {*known}
    if result.get("resultType") == "complete":
        quiet.add("resultType")
        if freshness_of(result, 0.0) is not None and result.get("cacheScope") in SCOPES:
            quiet |= {"ttlMs", "cacheScope"}
        meta = result.get("_meta")
        if isinstance(meta, dict) and set(meta) == {META_SERVER}:
            quiet.add("_meta")
    return (_json(name, text) for name, text in members.items() if name not in quiet)


def _blocks_of(items: Json, raw: bytes, present: bool) -> list[Block]:
    if not isinstance(items, list):
        return [_json("content", raw, note="is not an array")] if present else []
    texts = raw_items(raw)
    exact = texts if len(texts) == len(items) else [_encoded(item) for item in items]
    return [content_block(item, text) for item, text in zip(items, exact, strict=True)]


def content_block(item: Json, raw: bytes = b"") -> Block:
    """One content block of a result or message."""
    raw = raw or _encoded(item)
    content = read_content(item)
    match content:
        case TextContent():
            block = _text("text", content.text)
        case ImageContent():
            block = _binary("image", content.mime_type, content.data)
        case AudioContent():
            block = _binary("audio", content.mime_type, content.data)
        case ResourceLink():
            facts = [content.label, content.mime_type or "", content.description or ""]
            if content.size is not None:
                facts.append(size_words(content.size))
            block = Block("link", "facts", _facts(content.uri, *facts), uri=content.uri)
        case EmbeddedResource():
            inner = resource_block(content.resource)
            block = replace(inner, kind=f"embedded {inner.kind}")
        case Invalid():
            kind = item.get("type") if isinstance(item, dict) else None
            known = kind if isinstance(kind, str) else "block"
            block = _json(f"invalid {known}", raw, note=content.reason)
        case _:
            named = content.raw.get("type")
            block = _json(str(named), raw, note="a kind that is not drawn: raw")
    return replace(block, raw=raw)


def resource_blocks(result: Json, raw: bytes) -> list[Block]:
    """The contents of a `resources/read` result."""
    if not isinstance(result, dict) or not isinstance(contents := result.get("contents"), list):
        return [_json("result", raw, note="has no array of contents")]
    members = raw_members(raw)
    texts = raw_items(members.get("contents", b""))
    exact = texts if len(texts) == len(contents) else [_encoded(item) for item in contents]
    blocks = [
        replace(resource_block(item), raw=text) for item, text in zip(contents, exact, strict=True)
    ]
    if len(blocks) == 1:
        # The one that was asked for needs no link to itself.
        blocks[0] = replace(blocks[0], uri="")
    blocks.extend(_beyond(result, members, "contents"))
    return blocks


def resource_block(item: Json) -> Block:
    """One resource's contents, drawn by its MIME type."""
    contents = read_contents(item)
    if isinstance(contents, Invalid):
        return _json("invalid resource", _encoded(item), note=contents.reason)
    mime = contents.mime_type or ""
    if contents.text is not None and contents.blob is not None:
        block = replace(_by_mime(contents, mime), note="has both text and blob; this is the text")
    elif contents.text is not None:
        block = _by_mime(contents, mime)
    elif contents.blob is not None:
        kind = mime.partition("/")[0]
        block = _binary(kind if kind in ("image", "audio") else "resource", mime, contents.blob)
    else:
        block = _json("resource", _encoded(item), note="has neither text nor blob")
    return replace(block, uri=contents.uri)


def _by_mime(contents: ResourceContents, mime: str) -> Block:
    text = contents.text or ""
    plain = mime.partition(";")[0].strip().lower()
    size = size_words(len(text.encode("utf-8", "surrogatepass")))
    facts = _facts(mime, size)
    if plain == "application/json" or plain.endswith("+json"):
        data = text.encode("utf-8", "surrogatepass")
        return Block("resource", "json", facts, data=data, extension=".json")
    if plain in ("text/markdown", "text/x-markdown"):
        return Block("resource", "markdown", facts, text, extension=".md")
    if not plain.startswith("text/"):
        return replace(_text("resource", text), facts=facts)
    return Block("resource", "text", facts, text, extension=_EXTENSIONS.get(plain, ".txt"))


def message_blocks(result: Json, raw: bytes) -> list[Block]:
    """The messages of a `prompts/get` result, each with its role."""
    if not isinstance(result, dict) or not isinstance(messages := result.get("messages"), list):
        return [_json("result", raw, note="has no array of messages")]
    members = raw_members(raw)
    texts = raw_items(members.get("messages", b""))
    blocks: list[Block] = []
    for index, message in enumerate(messages):
        text = texts[index] if len(texts) == len(messages) else _encoded(message)
        blocks.extend(_message(message, text))
    blocks.extend(_beyond(result, members, "messages", "description"))
    return blocks


def _message(message: Json, raw: bytes) -> list[Block]:
    if not isinstance(message, dict) or not isinstance(role := message.get("role"), str):
        return [_json("invalid message", raw, note="has no role")]
    content, exact = message.get("content"), raw_members(raw).get("content", b"")
    # Sampling messages of 2025-11-25 may carry several blocks; a prompt's carries one.
    if isinstance(content, list):
        blocks = _blocks_of(content, exact, True)
    else:
        blocks = [content_block(content, exact)]
    return [replace(block, role=one_line(role, 20)) for block in blocks]


def _text(kind: str, text: str) -> Block:
    size = size_words(len(text.encode("utf-8", "surrogatepass")))
    stripped = text.lstrip()[:1]
    if stripped in ("{", "[") and _is_json(text):
        data = text.encode("utf-8")
        return Block(kind, "json", _facts(size, "JSON"), data=data, extension=".json")
    if looks_like_markdown(text):
        return Block(kind, "markdown", _facts(size, "Markdown"), text, extension=".md")
    return Block(kind, "text", size, text, extension=".txt")


def _is_json(text: str) -> bool:
    from inspector.render.jsonlines import is_json

    return is_json(text.encode("utf-8", "surrogatepass"))


def _binary(kind: str, mime: str, encoded: str) -> Block:
    if len(encoded) > BYTES_CAP * 4 // 3 + 4:
        note = f"larger than {BYTES_CAP >> 20} MiB, not decoded"
        text = encoded.encode("utf-8", "surrogatepass")
        return Block(kind, "facts", _facts(mime), note=note, data=text, extension=".base64")
    try:
        data = binascii.a2b_base64(encoded, strict_mode=bool(encoded))
    except (binascii.Error, ValueError) as error:
        note = f"no valid base64 ({error}); this is the text that came"
        return Block(kind, "text", _facts(mime), encoded, note=note, extension=".txt")
    size = size_words(len(data))
    extension = _EXTENSIONS.get(mime.partition(";")[0].strip().lower(), ".bin")
    if kind == "image":
        picture = picture_facts(data)
        if picture.problem:
            facts = _facts(mime, picture.words, size)
            return Block(kind, "hex", facts, data=data, note=picture.problem, extension=extension)
        meant = mime.partition("/")[2].lower().replace("jpg", "jpeg")
        odd = "" if picture.format.lower() in meant else f"is {picture.format}, not {mime}"
        note = "; ".join(one for one in (odd, picture.remark) if one)
        extension = f".{picture.format.lower()}"
        return Block(
            kind,
            "picture",
            _facts(mime, picture.words, size),
            data=data,
            note=visible(note[:160]),
            extension=extension,
        )
    if kind == "audio":
        sound = audio_facts(data)
        return Block(kind, "facts", _facts(mime, sound.words, size), data=data, extension=extension)
    return Block(kind, "hex", _facts(mime, size), data=data, extension=extension)


def _json(kind: str, raw: bytes, note: str = "") -> Block:
    facts = size_words(len(raw))
    kind, note = one_line(kind, 40), visible(note[:200])
    return Block(kind, "json", facts, data=raw, raw=raw, note=note, extension=".json")


def _facts(*parts: str) -> str:
    return " · ".join(one_line(part, FACT_WIDTH) for part in parts if part)


def _encoded(item: Json) -> bytes:
    try:
        return encode_json(item)
    except (ValueError, UnicodeEncodeError, RecursionError):
        return repr(item).encode("utf-8", "backslashreplace")


_EXTENSIONS: Final = {
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/html": ".html",
    "text/csv": ".csv",
    "text/css": ".css",
    "text/xml": ".xml",
    "text/x-python": ".py",
    "application/json": ".json",
    "application/pdf": ".pdf",
    "application/xml": ".xml",
    "application/zip": ".zip",
    "application/gzip": ".gz",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/svg+xml": ".svg",
    "audio/wav": ".wav",
    "audio/x-wav": ".wav",
    "audio/mpeg": ".mp3",
    "audio/mp3": ".mp3",
    "audio/ogg": ".ogg",
    "audio/flac": ".flac",
    "audio/mp4": ".m4a",
}
