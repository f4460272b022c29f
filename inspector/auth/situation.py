"""How it stands with the authorization of one MCP server: the snapshot that screens and commands
show, without any secret.

Decides the words for a grant. Who makes snapshots, and when, is `authority`.
"""

from dataclasses import dataclass
from typing import Literal

from inspector.auth.actions import Failed, StepRecord
from inspector.auth.grant import Grant
from inspector.auth.tokens import facts

Phase = Literal["none", "stored", "running", "waiting", "authorized", "failed"]
"""`none`: no token, none asked for. `stored`: one from an earlier run, not tried yet. `running`: on
the way to one. `waiting`: for a person. `authorized`: there is one. `failed`: see `error`."""

Waiting = Literal["", "consent", "server", "issuer", "client", "scopes"]
"""What a person is asked for."""

Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AuthState:
    """A snapshot. `steps` are those of the last flow, `facts` tell of the token that there is (also
    while another is asked for), `error` is why the last flow stands still, `problem` something
    that went wrong beside it (a token that could not be stored, a refresh that must wait)."""

    phase: Phase = "none"
    steps: tuple[StepRecord, ...] = ()
    waiting_for: Waiting = ""
    facts: Facts = ()
    error: Failed | None = None
    problem: str = ""


def facts_of(grant: Grant, now: float, *, place: str) -> Facts:
    """What may be shown of a grant; `place` says where it is kept."""
    client = grant.client
    requested = grant.requested
    return (
        ("issuer", grant.server.issuer),
        ("client", f"{client.client_id} ({client.origin.value}, {client.auth_method.value})"),
        ("resource", grant.resource or "none is sent"),
        ("scopes requested", "none" if requested is None else " ".join(requested) or "none"),
        *((f"token {name}", value) for name, value in facts(grant.tokens, now)),
        ("kept in", place),
    )
