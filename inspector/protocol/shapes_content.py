"""Shapes of content: the blocks of results and messages, resource contents, annotations."""

from typing import Final

from inspector.protocol.shapes_base import (
    ANY,
    BASE64,
    BOOL,
    OBJ,
    SHARE,
    STR,
    URI,
    A,
    B,
    C,
    Const,
    D,
    E,
    Gated,
    ListOf,
    Ref,
    alias,
    any_of,
    may,
    need,
    record,
    refs,
)
from inspector.protocol.shapes_core import META

_ANNOTATIONS: Final = may("annotations", Ref("Annotations"))

SAMPLING_CONTENT: Final = any_of(
    Ref("TextContent"),
    Ref("ImageContent"),
    Gated(Ref("AudioContent"), since=B),
    Gated(Ref("ToolUseContent"), since=D),
    Gated(Ref("ToolResultContent"), since=D),
    Gated(ListOf(Ref("SamplingMessageContentBlock")), since=D),
)
"""What a sampling message or result may hold: one block, since 2025-11-25 also several."""

TYPES: Final = (
    record(
        "Annotations",
        may("audience", ListOf(Ref("Role"))),
        may("priority", SHARE),
        may("lastModified", STR, since=C),
        named_since=B,
    ),
    record("Annotated", _ANNOTATIONS, until=A),
    record("TextContent", need("type", Const("text")), need("text", STR), _ANNOTATIONS, META),
    record(
        "ImageContent",
        need("type", Const("image")),
        need("data", BASE64),
        need("mimeType", STR),
        _ANNOTATIONS,
        META,
    ),
    record(
        "AudioContent",
        need("type", Const("audio")),
        need("data", BASE64),
        need("mimeType", STR),
        _ANNOTATIONS,
        META,
        since=B,
    ),
    record("ResourceLink", need("type", Const("resource_link")), bases=("Resource",), since=C),
    record(
        "EmbeddedResource",
        need("type", Const("resource")),
        need("resource", refs("TextResourceContents", "BlobResourceContents")),
        _ANNOTATIONS,
        META,
    ),
    alias(
        "ContentBlock",
        refs("TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource"),
        since=C,
    ),
    record("ResourceContents", need("uri", URI), may("mimeType", STR), META),
    record("TextResourceContents", need("text", STR), bases=("ResourceContents",)),
    record("BlobResourceContents", need("blob", BASE64), bases=("ResourceContents",)),
    record(
        "ToolUseContent",
        need("type", Const("tool_use")),
        need("id", STR),
        need("name", STR),
        need("input", OBJ),
        META,
        since=D,
    ),
    record(
        "ToolResultContent",
        need("type", Const("tool_result")),
        need("toolUseId", STR),
        need("content", ListOf(Ref("ContentBlock"))),
        may("structuredContent", OBJ, until=D),
        may("structuredContent", ANY, since=E),
        may("isError", BOOL),
        META,
        since=D,
    ),
    alias(
        "SamplingMessageContentBlock",
        refs("TextContent", "ImageContent", "AudioContent", "ToolUseContent", "ToolResultContent"),
        since=D,
    ),
)
