"""What is wrong with the conversation of a sampling request: tool uses and results out of balance
(2025-11-25 client/sampling, tool use). Pure words for a person; nothing is refused here.
"""

from collections.abc import Iterator

from inspector.protocol.messages import Json, JsonObject

_PAIRS = {"tool_use": "id", "tool_result": "toolUseId"}


def conversation_problems(params: JsonObject) -> list[str]:
    """What the messages of `params` break: results stand alone in a user's message, and each tool
    use is answered in the very next one. Empty where nothing is wrong."""
    messages = params.get("messages")
    return list(_problems(messages)) if isinstance(messages, list) else []


def _problems(messages: list[Json]) -> Iterator[str]:
    asked: list[str] = []
    for position, message in enumerate(messages, 1):
        where = f"message {position}"
        role = message.get("role") if isinstance(message, dict) else None
        used, answered = _ids(message, "tool_use"), _ids(message, "tool_result")
        if answered and len(answered) < len(_blocks(message)):
            yield f"{where} mixes tool results with other content"
        if answered and role != "user":
            yield f"{where} has tool results, but is not the user's"
        if used and role != "assistant":
            yield f"{where} uses tools, but is not the assistant's"
        for each in asked:
            if each not in answered:
                yield f"{where} comes before the result of tool use {each!r}"
        for each in answered:
            if each not in asked:
                yield f"{where} has a result for {each!r}, which the message before does not use"
        asked = used
    for each in asked:
        yield f"tool use {each!r} has no result"


def _blocks(message: Json) -> list[Json]:
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, list) else [content]


def _ids(message: Json, kind: str) -> list[str]:
    found = []
    for block in _blocks(message):
        if isinstance(block, dict) and block.get("type") == kind:
            found.append(str(block.get(_PAIRS[kind], "")))
    return found
