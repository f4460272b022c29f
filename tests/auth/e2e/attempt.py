"""One attempt to use a protected server, from the first request to the result of a tool."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from inspector.auth.grant import Grant
from tests.auth.e2e.scripted_person import Person
from tests.auth.e2e.visit import Visit
from tests.servers.auth_server import AuthServer


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: the tool's result or an error, and what was left behind."""

    result: str
    error: str
    grant: Grant | None
    recorded: bytes
    kept: bytes

    @property
    def ok(self) -> bool:
        return self.result == "5" and not self.error


async def attempt(
    server: AuthServer,
    folder: Path,
    person: Person,
    choices: Mapping[str, object] | None = None,
) -> Outcome:
    """Connects and calls a tool, and does what it takes to be let in."""
    async with Visit(server.url, folder, person, choices) as visit:
        error = visit.error
        result = "" if error else await visit.call()
    grant = visit.store.grant(server.url)
    return Outcome(result, error, grant, visit.recording.read_bytes(), visit.kept)
