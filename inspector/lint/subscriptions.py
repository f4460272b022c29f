"""Rules of subscriptions in 2026-07-28 (`basic/patterns/subscriptions`)."""

from dataclasses import dataclass, field
from typing import Final

from inspector.journal.entries import Direction
from inspector.journal.probes import Key, key_of
from inspector.journal.recent import Recent
from inspector.lint.look import Look
from inspector.lint.rule import Rule, quoted, rule
from inspector.lint.state import MODERN
from inspector.protocol.messages import JsonObject, MessageKind

_PAGE: Final = "basic/patterns/subscriptions"
_ACK: Final = "notifications/subscriptions/acknowledged"
_ID: Final = "io.modelcontextprotocol/subscriptionId"
_LISTENED: Final = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
}
_UPDATED: Final = "notifications/resources/updated"
_SCOPED: Final = frozenset({"notifications/progress", "notifications/message"})

RULES: Final[tuple[Rule, ...]] = (
    rule("sub/no-ack-first", "A subscription is not acknowledged first", _PAGE, error="E"),
    rule("sub/not-requested", "What comes was not subscribed to", _PAGE, error="E"),
    rule("sub/abrupt-end", "A subscription ends without a word", _PAGE, info="E"),
    rule("sub/id-missing", "A notification does not name its subscription", _PAGE, error="E"),
    rule(
        "sub/request-scoped-on-listen", "Progress or logs come on a subscription", _PAGE, error="E"
    ),
)


@dataclass(slots=True)
class _Listen:
    number: int
    filter: JsonObject
    acknowledged: bool = False


@dataclass(slots=True)
class _Kept:
    listens: Recent[Key, _Listen] = field(default_factory=Recent)


def note(look: Look) -> None:
    """Remembers subscriptions, broken ones too."""
    if look.kind is MessageKind.REQUEST and look.method == "subscriptions/listen":
        wanted = look.params.get("notifications")
        if look.envelope.id is not None:
            look.state.held(_Kept).listens.put(
                key_of(look.envelope.id),
                _Listen(look.number, wanted if isinstance(wanted, dict) else {}),
            )


def check(look: Look) -> None:
    """Judges one message."""
    if look.revision is not MODERN:
        return
    kept = look.state.held(_Kept)
    if look.kind is MessageKind.NOTIFICATION and look.from_server:
        if look.method == _ACK or look.method in _LISTENED or look.method == _UPDATED:
            _told(look, kept)
        elif look.method in _SCOPED:
            _scoped(look)


def _told(look: Look, kept: _Kept) -> None:
    meta = look.params.get("_meta")
    said = meta.get(_ID) if isinstance(meta, dict) else None
    if not isinstance(said, int | str) or isinstance(said, bool):
        if look.state.transport != "stdio" or look.method == _ACK:
            look.report(
                "sub/id-missing",
                f"{look.method} must name its subscription in _meta {_ID}.",
                "/params/_meta",
            )
        return
    listen = kept.listens.get(key_of(said))
    if listen is None:
        look.report(
            "sub/not-requested",
            f"No subscription has the id {quoted(said)}.",
            "/params/_meta",
        )
        return
    if look.method == _ACK:
        listen.acknowledged = True
        return
    if not listen.acknowledged:
        listen.acknowledged = True
        look.report(
            "sub/no-ack-first",
            "The first message of a subscription must be its acknowledgement.",
            "/method",
            listen.number,
        )
    if not _is_wanted(look, listen.filter):
        look.report(
            "sub/not-requested",
            f"{look.method} was not subscribed to.",
            "/method",
            listen.number,
        )


def _is_wanted(look: Look, wanted: JsonObject) -> bool:
    if look.method != _UPDATED:
        return wanted.get(_LISTENED[look.method]) is True
    uris, uri = wanted.get("resourceSubscriptions"), look.params.get("uri")
    if not isinstance(uris, list) or not isinstance(uri, str):
        return False
    return any(isinstance(each, str) and uri.startswith(each) for each in uris)


def _scoped(look: Look) -> None:
    frame = look.state.https.get(look.carrier) if look.carrier else None
    asked = look.state.sides[Direction.SENT].numbers.get(frame or 0)
    if asked is not None and asked.method == "subscriptions/listen":
        look.report(
            "sub/request-scoped-on-listen",
            f"{look.method} belongs to a request and must come on its stream, not on that of a"
            " subscription.",
            "/method",
            asked.number,
        )
