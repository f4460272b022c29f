"""Rules of content: blocks of results, of prompts and of sampling (`server/tools`)."""

import binascii
from collections.abc import Iterator
from typing import Final

from inspector.lint.look import Look
from inspector.lint.rule import Rule, pointer, quoted, rule
from inspector.protocol.messages import Json, JsonObject, MessageKind
from inspector.protocol.versions import Revision

_PAGE: Final = "server/tools"
BLOCKS_JUDGED: Final = 1000
_SINCE: Final = {
    "text": Revision.V2024_11_05,
    "image": Revision.V2024_11_05,
    "resource": Revision.V2024_11_05,
    "audio": Revision.V2025_03_26,
    "resource_link": Revision.V2025_06_18,
    "tool_use": Revision.V2025_11_25,
    "tool_result": Revision.V2025_11_25,
}
_SAMPLED: Final = frozenset({"tool_use", "tool_result"})

RULES: Final[tuple[Rule, ...]] = (
    rule("content/base64", "Binary content is not base64", _PAGE, error="ABCDE"),
    rule("content/mime-missing", "Binary content lacks its media type", _PAGE, error="ABCDE"),
    rule(
        "content/unknown-type", "Content is of no kind that the revision has", _PAGE, error="ABCDE"
    ),
    rule(
        "content/audience-priority",
        "Annotations are not as they must be",
        "server/resources",
        error="ABCDE",
    ),
)


def shape(look: Look) -> None:
    """Judges all content in a message."""
    for place, block in _blocks(look):
        _block(look, place, block)
    if look.answers("resources/read"):
        for index, item in enumerate(_list(look.result.get("contents"))):
            if isinstance(item, dict):
                _base64(look, pointer("result", "contents", index, "blob"), item.get("blob"))
    if look.answers("resources/list", "resources/templates/list"):
        for member in ("resources", "resourceTemplates"):
            for index, item in enumerate(_list(look.result.get(member))):
                if isinstance(item, dict):
                    _annotations(look, pointer("result", member, index), item)


def _list(value: Json) -> list[Json]:
    return value[:BLOCKS_JUDGED] if isinstance(value, list) else []


def _blocks(look: Look) -> Iterator[tuple[str, JsonObject]]:
    """The blocks with their places."""
    held: list[tuple[str, Json]] = []
    if look.answers("tools/call", "sampling/createMessage"):
        held.append(("/result/content", look.result.get("content")))
    elif look.answers("prompts/get"):
        for index, message in enumerate(_list(look.result.get("messages"))):
            if isinstance(message, dict):
                held.append(
                    (pointer("result", "messages", index, "content"), message.get("content"))
                )
    elif look.kind is MessageKind.REQUEST and look.method == "sampling/createMessage":
        for index, message in enumerate(_list(look.params.get("messages"))):
            if isinstance(message, dict):
                held.append(
                    (pointer("params", "messages", index, "content"), message.get("content"))
                )
    sampled = look.method == "sampling/createMessage" and look.revision >= Revision.V2025_11_25
    several = sampled or look.answers("tools/call")
    for place, content in held:
        if isinstance(content, dict):
            yield place, content
        for index, block in enumerate(_list(content) if several else ()):
            if isinstance(block, dict):
                yield place + pointer(index), block


def _block(look: Look, place: str, block: JsonObject) -> None:
    kind = block.get("type")
    since = _SINCE.get(kind) if isinstance(kind, str) else None
    sampled = look.method == "sampling/createMessage"
    if since is None or look.revision < since or (kind in _SAMPLED and not sampled):
        why = f"; it is only known since {since}" if since and look.revision < since else ""
        said = quoted(kind) if "type" in block else "none"
        look.report(
            "content/unknown-type",
            f"The type of the content is {said}, which must be one that this revision has"
            f" here{why}.",
            place,
        )
        return
    if kind in ("image", "audio"):
        _base64(look, place + "/data", block.get("data"))
        if not isinstance(block.get("mimeType"), str):
            look.report(
                "content/mime-missing", f"Content of type {kind} must have a mimeType.",
                place + "/mimeType",
            )  # fmt: skip
    elif kind == "resource":
        held = block.get("resource")
        if isinstance(held, dict):
            _base64(look, place + "/resource/blob", held.get("blob"))
    _annotations(look, place, block)


def _base64(look: Look, place: str, text: Json) -> None:
    if not isinstance(text, str):
        return
    try:
        binascii.a2b_base64(text.encode("ascii", "replace"), strict_mode=True)
    except binascii.Error as error:
        why = str(error).lower()
        look.report("content/base64", f"Binary content must be base64 ({why}).", place)


def _annotations(look: Look, place: str, holder: JsonObject) -> None:
    notes = holder.get("annotations")
    if not isinstance(notes, dict):
        return
    audience, priority = notes.get("audience"), notes.get("priority")
    if "audience" in notes and not (
        isinstance(audience, list) and all(each in ("user", "assistant") for each in audience)
    ):
        look.report(
            "content/audience-priority",
            'audience must be a list of "user" and "assistant".',
            f"{place}/annotations/audience",
        )
    number = isinstance(priority, int | float) and not isinstance(priority, bool)
    if "priority" in notes and not (number and 0 <= priority <= 1):  # type: ignore[operator]
        look.report(
            "content/audience-priority",
            "priority must be a number from 0 to 1.",
            f"{place}/annotations/priority",
        )
