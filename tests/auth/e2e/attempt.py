"""One attempt to use a protected server through the real driver: authority, sender and store, with
a scripted person before it."""

import asyncio
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

from inspector.auth.attempt import Attempt
from inspector.auth.authority import Authority
from inspector.auth.grant import Grant, Profile
from inspector.auth.store import FileStore
from inspector.errors import InspectorError
from inspector.journal.journal import Journal
from inspector.journal.recording import RecordingFile
from inspector.protocol.versions import Revision
from tests.auth.e2e.cases import changed_profile
from tests.auth.e2e.scripted_person import Person
from tests.servers.auth_server import AuthServer

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "attempt", "version": "1"},
    },
}

_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it."""

    status: int
    error: str
    grant: Grant | None
    recorded: bytes
    kept: bytes

    @property
    def ok(self) -> bool:
        return self.status == 200 and not self.error


async def attempt(
    server: AuthServer,
    folder: Path,
    person: Person,
    choices: Mapping[str, object] | None = None,
) -> Outcome:
    """Asks the MCP server something, and does what it takes to be let in. Recordings lie in
    `folder`, and what is stored below it."""
    recording = folder / f"{next(_numbers)}.jsonl"
    store = FileStore(folder / "kept")
    profile = changed_profile(Profile(server.url, Revision.V2025_11_25), choices or {})
    journal = Journal(file=RecordingFile.create(recording))
    status, error = 0, ""
    async with (
        asyncio.TaskGroup() as group,
        httpx.AsyncClient(verify=person.trust or False, trust_env=False) as http,
    ):
        authority = Authority(profile, journal, store=store, person=person, spawn=group.create_task)
        try:
            status = await _ask(server.url, authority, http, journal)
        except InspectorError as problem:
            error = f"{problem.message} {problem.hint}"
        await authority.close()
    journal.close()
    kept = b"".join(path.read_bytes() for path in (folder / "kept").glob("*") if path.is_file())
    return Outcome(status, error, store.grant(server.url), recording.read_bytes(), kept)


async def _ask(url: str, authority: Authority, http: httpx.AsyncClient, journal: Journal) -> int:
    tried = Attempt()
    connection = journal.begin_connection({})
    while True:
        sent = await authority.credential(connection)
        headers = {"Accept": "application/json, text/event-stream"}
        if sent is not None:
            headers["Authorization"] = f"Bearer {sent.reveal()}"
        answer = await http.post(url, json=HELLO, headers=headers)
        if answer.status_code not in {401, 403}:
            authority.accepted(sent)
            return answer.status_code
        lines = answer.headers.get_list("WWW-Authenticate")
        again = await authority.refused(answer.status_code, lines, sent, connection, tried)
        if not again:
            return answer.status_code
