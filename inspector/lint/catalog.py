"""All lint rules in one table, and the areas in the order in which they look at an entry."""

from collections.abc import Callable, Mapping
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
    logs,
    mrtr,
    pagination,
    probed,
    progress,
    resources,
    schema,
    stdio,
    subscriptions,
    tasks,
    tools,
)
from inspector.lint.exchange import Exchange
from inspector.lint.look import Look
from inspector.lint.rule import Finding, Rule
from inspector.lint.state import Connection
from inspector.protocol.messages import JsonObject

Area = Callable[[Look], None]
Carrier = Callable[[Exchange], None]
Happening = Callable[[Mapping[str, Rule], Connection, Row, JsonObject], list[Finding | None]]

_AREAS: Final = (
    envelope,
    schema,
    lifecycle,
    capabilities,
    stdio,
    http,
    probed,
    tools,
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

NOTES: Final[tuple[Area, ...]] = (progress.note, logs.note, subscriptions.note, probed.note)
"""Areas that remember what any message brought along, be it right or wrong."""

SHAPES: Final[tuple[Area, ...]] = (
    lifecycle.shape,
    mrtr.shape,
    pagination.shape,
    content.shape,
    tools.shape,
    resources.shape,
    logs.shape,
    tasks.shape,
    asking.shape,
)
"""Areas that judge what the schema would say less well, before it speaks."""

AREAS: Final[tuple[Area, ...]] = (
    lifecycle.check,
    capabilities.check,
    stdio.check,
    http.check,
    tools.check,
    resources.check,
    pagination.check,
    probed.check,
    logs.check,
    progress.check,
    mrtr.check,
    subscriptions.check,
    tasks.check,
    asking.check,
    icons.check,
)
"""Areas that judge messages which are what their schema wants."""

CARRIERS: Final[tuple[Carrier, ...]] = (http.exchanged, auth.exchanged, probed.exchanged)
"""Areas that judge HTTP exchanges."""

HAPPENINGS: Final[tuple[Happening, ...]] = (stdio.happened, http.happened)
"""Areas that judge what happened in the life of a connection."""
