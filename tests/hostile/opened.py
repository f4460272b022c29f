"""A recording of a session with a server whose every text is hostile."""

import json
from pathlib import Path
from typing import Any

from inspector.journal.recording import RecordingFile
from tests.hostile.everything import ALL, Everything
from tests.journal.conversation import Conversation
from tests.servers.hostile import request


def hostile_recording(server: Everything, path: Path) -> Path:
    """Asks for everything there is, and lets the server say the rest; the file is at `path`."""
    file = RecordingFile.create(path)
    talk = Conversation(file=file)
    info = {"protocolVersion": "2025-11-25", "clientInfo": {"name": "a", "version": "1"}}
    asked: list[tuple[str, dict[str, Any]]] = [
        ("initialize", {**info, "capabilities": {}}),
        ("tools/list", {}),
        ("resources/list", {}),
        ("resources/templates/list", {}),
        ("prompts/list", {}),
        ("tools/call", {"name": ALL, "arguments": {text: text for text in server.said.values()}}),
        ("resources/read", {"uri": ALL}),
        ("prompts/get", {"name": ALL}),
        ("tasks/list", {}),
        ("odd/one", {"name": server.said["bidi"]}),
    ]
    for number, (method, params) in enumerate(asked, 1):
        raw = json.dumps(request(number, method, params)).encode()
        talk.sent(raw)
        talk.pass_time(0.01)
        for answer in server.respond(raw):
            talk.received(answer)
        if method == "initialize":
            talk.sent({"jsonrpc": "2.0", "method": "notifications/initialized"})
    for said in (*server.logs(), *server.asks("elicitation/create")[:20]):
        talk.received(json.dumps(said).encode())
    for number, text in enumerate(server.said.values(), 1):
        talk.journal.stderr(text.encode("utf-8", "surrogatepass"), connection=talk.connection)
        talk.journal.note(min(number, 9), text)
        talk.received(text.encode("utf-8", "surrogatepass").replace(b"\n", b" "))
    talk.journal.close()
    return path
