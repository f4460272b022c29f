"""All lint rules in one table, and the areas in the order in which they look at an entry."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from inspector.journal.entries import Row
from inspector.lint import (
    asking,
    auth,
    capabilities,
    content,
    envelope,
    http,
    icons,
    lifecycle,
    listings,
    logs,
    mrtr,
    offered,
    pagination,
    probed,
    progress,
    resources,
    schema,
    spelling,
    stdio,
    streams,
    subscriptions,
    tasks,
    tools,
)
from inspector.lint.exchange import Exchange
from inspector.lint.look import Look
from inspector.lint.rule import LETTERS, Finding, Rule
from inspector.lint.state import Connection
from inspector.protocol.messages import JsonObject, MessageKind
from inspector.protocol.methods import METHODS
from inspector.protocol.versions import Revision

Area = Callable[[Look], None]
Carrier = Callable[[Exchange], None]
Happening = Callable[[Mapping[str, Rule], Connection, Row, JsonObject], list[Finding | None]]

_AREAS: Final = (
    envelope,
    spelling,
    schema,
    lifecycle,
    capabilities,
    stdio,
    http,
    streams,
    probed,
    tools,
    listings,
    content,
    resources,
    pagination,
    logs,
    progress,
    mrtr,
    subscriptions,
    tasks,
    asking,
    auth,
    icons,
)

RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {row.id: row for area in _AREAS for row in area.RULES}
)
"""Every rule by its id."""

_RESULT, _ERROR = MessageKind.RESULT, MessageKind.ERROR
_REQUEST, _NOTIFICATION = MessageKind.REQUEST, MessageKind.NOTIFICATION
_ANY: Final = ("*",)
_LISTS: Final = (
    "tools/list", "resources/list", "resources/templates/list", "prompts/list", "tasks/list",
)  # fmt: skip
_OFFERED: Final = ("resources/list", "resources/templates/list")
_TASKS: Final = ("notifications/tasks/status", "notifications/tasks")
_CHANGES: Final = (
    "notifications/tools/list_changed",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
)


@dataclass(frozen=True, slots=True)
class _Interest:
    """What an area looks at: which methods of which kinds of messages, in which revisions.
    Outcomes count by the method that they answer."""

    area: Area
    of: Mapping[MessageKind, tuple[str, ...]]
    revisions: str = "ABCDE"

    def wants(self, kind: MessageKind, method: str, revision: Revision) -> bool:
        """Whether a message is worth a look of this area."""
        if revision not in [LETTERS[letter] for letter in self.revisions]:
            return False
        wanted = self.of.get(kind, ())
        return wanted == _ANY or method in wanted


@dataclass(frozen=True, slots=True)
class Watch:
    """The areas that look at a message, in order: those that remember what any message brought
    along, be it right or wrong; those that judge what the schema would say less well, before it
    speaks; those that judge messages which are what their schema wants."""

    notes: tuple[Area, ...]
    shapes: tuple[Area, ...]
    checks: tuple[Area, ...]


_NOTES: Final = (
    _Interest(progress.note, {_REQUEST: _ANY, _RESULT: _ANY, _ERROR: _ANY}),
    _Interest(logs.note, {_REQUEST: _ANY, _RESULT: _ANY, _ERROR: _ANY}, "E"),
    _Interest(subscriptions.note, {_REQUEST: ("subscriptions/listen",)}),
    _Interest(probed.note, {_RESULT: _LISTS}),
    _Interest(
        offered.note,
        {_RESULT: _OFFERED, _ERROR: _OFFERED, _NOTIFICATION: (_CHANGES[2],)},
    ),
)

_SHAPES: Final = (
    _Interest(lifecycle.shape, {_RESULT: ("initialize",)}),
    _Interest(mrtr.shape, {_RESULT: _ANY}, "E"),
    _Interest(pagination.shape, {_RESULT: (*_LISTS, "server/discover", "resources/read")}),
    _Interest(
        content.shape,
        {
            _RESULT: (
                "tools/call",
                "sampling/createMessage",
                "prompts/get",
                "resources/read",
                "resources/list",
                "resources/templates/list",
            ),
            _REQUEST: ("sampling/createMessage",),
        },
    ),
    _Interest(tools.shape, {_RESULT: ("tools/list", "tools/call")}),
    _Interest(
        resources.shape,
        {
            _RESULT: (
                "resources/list",
                "resources/templates/list",
                "resources/read",
                "prompts/get",
                "completion/complete",
            )
        },
    ),
    _Interest(logs.shape, {_NOTIFICATION: ("notifications/message",)}),
    _Interest(
        tasks.shape,
        {_NOTIFICATION: _TASKS, _RESULT: ("tasks/get", "tasks/cancel", "tools/call")},
        "DE",
    ),
    _Interest(asking.shape, {_REQUEST: ("elicitation/create",)}),
    _Interest(asking.shape, {_RESULT: _ANY}, "E"),
)

_CHECKS: Final = (
    _Interest(lifecycle.check, {_REQUEST: _ANY, _ERROR: _ANY}),
    _Interest(lifecycle.check, {_RESULT: _ANY}, "E"),
    _Interest(
        capabilities.check,
        {_REQUEST: _ANY, _RESULT: _ANY, _ERROR: _ANY, _NOTIFICATION: _ANY},
    ),
    _Interest(stdio.check, {_NOTIFICATION: _CHANGES}, "E"),
    _Interest(http.check, {_RESULT: _ANY, _ERROR: _ANY}),
    _Interest(
        tools.check,
        {
            _RESULT: ("tools/list", "tools/call"),
            _ERROR: ("tools/call",),
            _NOTIFICATION: ("notifications/tools/list_changed",),
        },
    ),
    _Interest(
        listings.check,
        {_RESULT: ("tools/list",), _NOTIFICATION: ("notifications/tools/list_changed",)},
        "E",
    ),
    _Interest(
        resources.check,
        {
            _RESULT: ("resources/read", "prompts/list", "resources/unsubscribe"),
            _ERROR: ("resources/read", "prompts/get"),
            _REQUEST: ("resources/subscribe",),
            _NOTIFICATION: ("notifications/resources/updated",),
        },
    ),
    _Interest(pagination.check, {_RESULT: _LISTS}),
    _Interest(probed.check, {_RESULT: _LISTS, _ERROR: _LISTS}),
    _Interest(
        logs.check, {_NOTIFICATION: ("notifications/message",), _RESULT: ("logging/setLevel",)}
    ),
    _Interest(
        progress.check,
        {
            _RESULT: _ANY,
            _ERROR: _ANY,
            _NOTIFICATION: ("notifications/progress", "notifications/cancelled"),
        },
    ),
    _Interest(mrtr.check, {_RESULT: _ANY}, "E"),
    _Interest(subscriptions.check, {_NOTIFICATION: _ANY}, "E"),
    _Interest(
        tasks.check,
        {
            _REQUEST: ("tasks/update",),
            _RESULT: ("tasks/get", "tasks/cancel", "tasks/result", "tools/call"),
            _NOTIFICATION: _TASKS,
        },
        "DE",
    ),
    _Interest(asking.check, {_REQUEST: ("elicitation/create", "sampling/createMessage")}),
    _Interest(asking.check, {_RESULT: _ANY}, "E"),
    _Interest(icons.check, {_RESULT: ("initialize", *_LISTS)}, "DE"),
)


def watching(kind: MessageKind, method: str, revision: Revision) -> Watch:
    """Who looks at a message."""
    return _watching(kind, method if method in METHODS else "", revision)


@lru_cache(maxsize=2048)
def _watching(kind: MessageKind, method: str, revision: Revision) -> Watch:
    def chosen(table: tuple[_Interest, ...]) -> tuple[Area, ...]:
        return tuple(each.area for each in table if each.wants(kind, method, revision))

    return Watch(chosen(_NOTES), chosen(_SHAPES), chosen(_CHECKS))


CARRIERS: Final[tuple[Carrier, ...]] = (http.exchanged, auth.exchanged, probed.exchanged)
"""Areas that judge HTTP exchanges."""

HAPPENINGS: Final[tuple[Happening, ...]] = (
    stdio.happened,
    http.happened,
    streams.happened,
    probed.happened,
)
"""Areas that judge what happened in the life of a connection."""
