"""A stdio server that says what its script says: `python scripted_stdio.py SCRIPT`.

The script is JSON: by method a list of messages, which come when the method does. `"$id"` in them
is the id of the request, `"$version"` the revision that was offered, `"$token"` its progress token.
What has no entry is answered by an empty result. Standard library only, so that it starts quickly.
"""

import json
import sys
from typing import Any


def filled(value: Any, known: dict[str, Any]) -> Any:
    """The template with what is known of the request."""
    if isinstance(value, str):
        return known.get(value, value)
    if isinstance(value, list):
        return [filled(each, known) for each in value]
    if isinstance(value, dict):
        return {name: filled(each, known) for name, each in value.items()}
    return value


def said(script: dict[str, Any], message: dict[str, Any]) -> list[Any]:
    """What follows a message."""
    params = message.get("params") or {}
    known = {
        "$id": message.get("id"),
        "$version": params.get("protocolVersion"),
        "$token": (params.get("_meta") or {}).get("progressToken"),
    }
    replies = script.get(str(message.get("method")))
    if replies is None:
        if "method" not in message or "id" not in message:
            return []
        replies = [{"jsonrpc": "2.0", "id": "$id", "result": {}}]
    return [filled(each, known) for each in replies]


def main() -> None:
    """Serves stdin until it ends."""
    script = json.loads(sys.argv[1])
    for line in sys.stdin:
        for reply in said(script, json.loads(line)):
            text = reply if isinstance(reply, str) else json.dumps(reply)
            print(text, flush=True)


if __name__ == "__main__":
    main()
