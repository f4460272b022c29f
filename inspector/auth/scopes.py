"""Which scopes are asked for, at first and after a `403 insufficient_scope`.

Decides the set; asking the user about more scopes, and the request itself, are others' business.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

OFFLINE_ACCESS: Final = "offline_access"
MOST_STEP_UPS: Final = 3
"""So many tries for more scopes, then the failure is permanent (2025-11-25 basic/authorization,
Step-Up Authorization Flow: no more than a few times; AU-14)."""

_SCOPE: Final = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,1000}")
"""A scope-token of RFC 6749 section 3.3, with a bound of ours."""

Scopes = tuple[str, ...]


def split_scope(text: str) -> Scopes:
    """The scopes in a `scope` text, each once, in order; what is no scope is left out."""
    return clean(text.split(" "))


def clean(names: Iterable[str]) -> Scopes:
    """Those of the names that are scopes, each once, in order."""
    return tuple(dict.fromkeys(name for name in names if _SCOPE.fullmatch(name)))


def first_scopes(
    challenged: Scopes | None,
    resource_scopes: Scopes | None,
    *,
    server_scopes: Scopes | None = None,
    wants_refresh: bool = False,
) -> Scopes | None:
    """The scopes of the first request: what the challenge asks for, else all that the resource
    names, else None for no `scope` at all (2025-11-25 basic/authorization, Scope Selection
    Strategy; AU-13).

    `offline_access` is added only where the authorization server lists it and we can use a refresh
    token (2026-07-28 basic/authorization, Refresh Tokens; AU-16), and never alone: asking for one
    scope where none is needed would take away the default ones.
    """
    chosen = clean(challenged or ()) or clean(resource_scopes or ())
    if not chosen:
        return None
    offline = wants_refresh and OFFLINE_ACCESS in (server_scopes or ())
    return union(chosen, (OFFLINE_ACCESS,)) if offline else chosen


def union(before: Scopes | None, added: Scopes | None) -> Scopes:
    """All of both, each once, what was there first in front."""
    return clean((*(before or ()), *(added or ())))


@dataclass(frozen=True, slots=True)
class StepUp:
    """One more request for scopes: what to ask for, which of it is new, the how manieth it is."""

    scopes: Scopes
    added: Scopes
    attempt: int


def step_up(requested: Scopes | None, challenged: Scopes | None, attempts: int) -> StepUp | None:
    """What to ask for after a 403 `insufficient_scope`: the union of what was requested before and
    what the challenge names (2026-07-28 basic/authorization, Step-Up Authorization Flow; AU-14).

    None after `MOST_STEP_UPS` attempts, and where the challenge names no scope.
    """
    wanted = clean(challenged or ())
    if attempts >= MOST_STEP_UPS or not wanted:
        return None
    added = tuple(name for name in wanted if name not in (requested or ()))
    return StepUp(union(requested, wanted), added, attempts + 1)
