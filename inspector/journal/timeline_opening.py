"""How a connection was opened, told from its entries: offer, answer, refusal, second try, probe.

Decides the phase of a connection up to its opening, and why a revision was chosen. The rules are
those of 2025-11-25 basic/lifecycle and 2026-07-28 basic/versioning. Pure.
"""

from dataclasses import replace
from typing import Final

from inspector.journal.columns import Columns
from inspector.journal.entries import Flag, Kind
from inspector.journal.timeline_ledger import Ledger
from inspector.journal.timeline_readings import (
    META_CAPABILITIES,
    META_SERVER,
    META_VERSION,
    code_of,
    member,
    obj,
    supported,
    text,
)
from inspector.journal.timeline_values import LIST_KINDS, Opening, Phase
from inspector.protocol.codes import METHOD_NOT_FOUND, name_of
from inspector.protocol.messages import JsonObject
from inspector.protocol.versions import HANDSHAKE_REVISIONS, MODERN_REVISIONS, Era, parse_revision

GUESSED: Final[JsonObject] = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}
"""What a server that has no `server/discover` is taken to offer."""
_CAPABILITY_OF: Final = {kind: kind for kind in LIST_KINDS} | {"resourceTemplates": "resources"}


def initialize_asked(ledger: Ledger, columns: Columns, number: int, body: bytes) -> None:
    """`initialize` went out."""
    if ledger.phase is Phase.READY:
        return
    before, ledger.opener = ledger.opener, number
    ledger.phase, ledger.error = Phase.NEGOTIATING, ""
    if columns.flags[number] & Flag.PROBE:
        return  # only to find out what the server speaks instead
    if before in ledger.open:
        if ledger.opening.era is Era.MODERN:
            ledger.probed = before  # both are out now, and what is answered first counts
            told = "The probe by server/discover brought no answer."
            ledger.opening = replace(ledger.opening, why=told)
        else:  # sent again, over another transport
            ledger.closed(before)
    params = member(body, "params")
    offered = text(params.get("protocolVersion"))
    if not ledger.story:
        pinned = parse_revision(ledger.facts.get("protocol")) is not None
        ledger.story = f"offered {offered}" + (" as chosen" if pinned else "")
    ledger.opening = Opening(
        Era.HANDSHAKE,
        offered,
        why=ledger.opening.why,  # what the probe before it came to
        client_capabilities=obj(params.get("capabilities")),
    )


def initialize_answered(
    ledger: Ledger, columns: Columns, request: int, number: int, kind: int, body: bytes
) -> None:
    """The server has answered `initialize`; the session is open when we have said so."""
    if request != ledger.opener or ledger.phase is not Phase.NEGOTIATING:
        return
    result = member(body, "result") if kind == Kind.RESULT else {}
    named = text(result.get("protocolVersion"))
    if columns.flags[request] & Flag.PROBE:
        if ledger.probed and not named:
            _guess(ledger)
        else:
            _fail(ledger, f"the server speaks {named}" if named else _refusal(kind, body))
        return
    offered = ledger.opening.offered
    if kind != Kind.RESULT:
        named_ones = supported(member(body, "error").get("data"))
        others = [one for one in named_ones if one in HANDSHAKE_REVISIONS and one != offered]
        if others:
            ledger.story = f"the server refused {offered} and named {max(others)}"
        _fail(ledger, _refusal(kind, body))
        return
    revision = parse_revision(named)
    if revision is None or revision.era is not Era.HANDSHAKE:
        _fail(ledger, f"no common protocol revision: the server answered {named!r}")
        return
    if named == offered:
        why = f"{ledger.story}; the server agreed"
    else:
        newer = "a newer one than offered" if named > offered else "an older one"
        why = f"{ledger.story}; the server answered {named}, {newer} that we speak too"
    told = ledger.opening.why
    ledger.opening = replace(
        ledger.opening,
        revision=revision,
        why=f"{told} {_sentence(why)}".lstrip(),
        server_info=obj(result.get("serverInfo")),
        capabilities=obj(result.get("capabilities")),
        instructions=text(result.get("instructions")),
        entry=number,
    )


def initialized(ledger: Ledger) -> None:
    """`notifications/initialized` went out: the session is open."""
    if ledger.phase is Phase.NEGOTIATING and ledger.opening.revision is not None:
        _ready(ledger)


def discover_asked(ledger: Ledger, number: int, body: bytes) -> None:
    """`server/discover` went out; in an open session it is a question like any other."""
    if ledger.phase is Phase.READY:
        return
    meta = obj(member(body, "params").get("_meta"))
    ledger.phase, ledger.error = Phase.NEGOTIATING, ""
    ledger.opener = number
    offered = text(meta.get(META_VERSION))
    capabilities = obj(meta.get(META_CAPABILITIES))
    ledger.opening = Opening(Era.MODERN, offered, client_capabilities=capabilities)


def discover_answered(
    ledger: Ledger, columns: Columns, request: int, number: int, kind: int, body: bytes
) -> None:
    """The server has answered `server/discover`, or refused to."""
    if ledger.phase is not Phase.NEGOTIATING or ledger.opening.revision is not None:
        return
    result = member(body, "result") if kind == Kind.RESULT else {}
    versions = supported(result)
    offered, probe = ledger.opening.offered, columns.flags[request] & Flag.PROBE
    if request != ledger.opener:
        offered = max((one for one in versions if one in MODERN_REVISIONS), default="")
        if request != ledger.probed or not offered:
            return
        ledger.opening = Opening(Era.MODERN, offered)
        ledger.story = "asked first by server/discover, which took long"
    if offered in versions:
        story = ledger.story or ("asked first by server/discover" if probe else "")
        chosen = " as chosen" if ledger.facts.get("protocol") in ("modern", offered) else ""
        story = story or f"asked in {offered}{chosen}"
        ledger.opening = replace(
            ledger.opening,
            revision=parse_revision(offered),
            why=_sentence(f"{story}; the server speaks {', '.join(versions)}"),
            server_info=obj(obj(result.get("_meta")).get(META_SERVER)),
            capabilities=obj(result.get("capabilities")),
            instructions=text(result.get("instructions")),
            entry=number,
        )
        _ready(ledger)
        return
    error = member(body, "error")
    if others := [one for one in supported(error.get("data")) if one in MODERN_REVISIONS]:
        ledger.story = f"the server refused {offered} and named {max(others)}"
    if code_of(error) == METHOD_NOT_FOUND and not probe:
        ledger.probed = number  # a probe by initialize follows, and may be refused as well
    if probe:
        ledger.story = ""
        ledger.opening = replace(
            ledger.opening, why=f"The probe by server/discover {_outcome(kind, versions, error)}."
        )
    else:
        _fail(ledger, _refusal(kind, body))


def _guess(ledger: Ledger) -> None:
    offered = ledger.opening.offered
    ledger.opening = replace(
        ledger.opening,
        revision=parse_revision(offered),
        why=f"Pinned to {offered}; the server has no server/discover, so what it offers is found"
        " out by asking.",
        capabilities=GUESSED,
    )
    _ready(ledger)


def _ready(ledger: Ledger) -> None:
    ledger.phase = Phase.READY
    for kind, reading in ledger.lists.items():
        if not ledger.opening.declares(_CAPABILITY_OF[kind]):
            ledger.lists[kind] = replace(reading, state="unsupported")


def _fail(ledger: Ledger, why: str) -> None:
    """Not the end of the books: another try on the same connection may follow."""
    ledger.phase, ledger.error = Phase.FAILED, why


def _refusal(kind: int, body: bytes) -> str:
    if kind != Kind.ERROR:
        return "the answer cannot be read"
    error = member(body, "error")
    return f"the server refused: {error.get('code')} {text(error.get('message'))}".rstrip()


def _outcome(kind: int, versions: list[str], error: JsonObject) -> str:
    if kind == Kind.RESULT:
        return f"names only {', '.join(versions)}" if versions else "brought no DiscoverResult"
    code = code_of(error)
    name = name_of(code) if code is not None else ""
    return f"was answered {code}" + (f" ({name})" if name else "") if code else "brought no answer"


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:] + "."
