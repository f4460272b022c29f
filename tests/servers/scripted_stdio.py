"""A stdio server that says what its script says: `python scripted_stdio.py SCRIPT`.

The script is JSON: by method a list of messages, which come when the method does. `"$id"` in them
is the id of the request, `"$text-id"` the same as text, `"$version"` the revision that was offered,
`"$token"` its progress token, `"$new"` an id of our own. An entry "METHOD NAME" is for one tool,
prompt, resource, cursor, task or subscription, "METHOD NAME again" for a call that brings answers,
"METHOD #2" for the second time. A text is a line as it stands; null ends the server. What has no
entry is answered by an empty result. Standard library only, so that it starts quickly.
"""

import json
import sys
from collections import Counter
from typing import Any

TIMES: Counter[str] = Counter()


def filled(value: Any, known: dict[str, Any]) -> Any:
    """The template with what is known of the request."""
    if isinstance(value, str):
        return known.get(value, value)
    if isinstance(value, list):
        return [filled(each, known) for each in value]
    if isinstance(value, dict):
        return {name: filled(each, known) for name, each in value.items()}
    return value


def named(params: dict[str, Any]) -> str:
    """What a request is about."""
    listened = (params.get("notifications") or {}).get("resourceSubscriptions") or []
    about = (params.get(name) for name in ("name", "uri", "cursor", "taskId"))
    name = next(filter(None, [*about, *listened]), "")
    return f"{name} again" if "inputResponses" in params or "requestState" in params else name


def said(script: dict[str, Any], message: dict[str, Any]) -> list[Any]:
    """What follows a message."""
    params = message.get("params") or {}
    known = {
        "$id": message.get("id"),
        "$text-id": str(message.get("id")),
        "$new": f"ask-{message.get('id')}",
        "$version": params.get("protocolVersion"),
        "$token": (params.get("_meta") or {}).get("progressToken"),
    }
    method = str(message.get("method"))
    TIMES[method] += 1
    places = (f"{method} {named(params)}", f"{method} #{TIMES[method]}", method)
    replies = next((script[place] for place in places if place in script), None)
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
            if reply is None:
                return
            text = reply if isinstance(reply, str) else json.dumps(reply)
            sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape") + b"\n")
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
