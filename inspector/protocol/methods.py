"""THE table of methods: who sends them, which capability they need, and which revisions have them.

What their params and results look like is `inspector.protocol.shapes`; whether a peer declared the
capability is the session's business.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from inspector.protocol.messages import MessageKind
from inspector.protocol.versions import REVISIONS, TASKS_EXTENSION, Revision

Sender = Literal["client", "server", "both"]
Side = Literal["client", "server"]

_A, _B, _C, _D, _E = REVISIONS
_ALL: Final = frozenset(REVISIONS)
_HANDSHAKE: Final = frozenset({_A, _B, _C, _D})


@dataclass(frozen=True, slots=True)
class Method:
    """One method.

    `capability` is the path that must be declared before it is used, in the capabilities of
    `declared_by` (None: nobody need declare anything); `capability_since` is the first revision
    that has the capability. `revisions` are those whose core has the method, `extensions` those
    where it belongs to an extension. `embedded` are revisions in which the method never travels
    as a message of its own but inside an `input_required` result. `page` is the page of the
    specification that defines it, `modern_page` the one of 2026-07-28, `modern_sender` who sends
    it there, where these differ.
    """

    name: str
    kind: MessageKind
    sender: Sender
    revisions: frozenset[Revision]
    page: str
    modern_page: str = ""
    modern_sender: Sender | None = None
    capability: tuple[str, ...] | None = None
    declared_by: Side | None = None
    capability_since: Revision = _A
    extensions: Mapping[Revision, str] = field(default_factory=dict)
    embedded: frozenset[Revision] = frozenset()

    def needs(self, revision: Revision) -> tuple[str, ...] | None:
        """The capability path needed in `revision`, None where none is."""
        if extension := self.extensions.get(revision):
            return ("extensions", extension)
        return self.capability if revision >= self.capability_since else None

    def sender_in(self, revision: Revision) -> Sender:
        """Who sends the method in `revision`."""
        return self.modern_sender or self.sender if revision is _E else self.sender

    def page_in(self, revision: Revision) -> str:
        """The page of the specification of `revision` that defines the method."""
        return self.modern_page if revision is _E and self.modern_page else self.page


def _request(
    name: str,
    page: str,
    *capability: str,
    sender: Sender = "client",
    revisions: frozenset[Revision] = _ALL,
    capability_since: Revision = _A,
    extension: bool = False,
    embedded: bool = False,
) -> Method:
    declared_by: Side = "client" if sender == "server" else "server"
    return Method(
        name=name,
        kind=MessageKind.REQUEST,
        sender=sender,
        revisions=revisions,
        page=page,
        modern_sender="client" if extension else None,
        capability=capability or None,
        declared_by=declared_by if capability else None,
        capability_since=capability_since,
        extensions=MappingProxyType({_E: TASKS_EXTENSION} if extension else {}),
        embedded=frozenset({_E}) if embedded else frozenset(),
    )


def _notification(
    name: str,
    page: str,
    *capability: str,
    sender: Sender = "server",
    revisions: frozenset[Revision] = _ALL,
    modern_page: str = "",
    modern_sender: Sender | None = None,
    extension: bool = False,
) -> Method:
    return Method(
        name=name,
        kind=MessageKind.NOTIFICATION,
        sender=sender,
        revisions=revisions,
        page=page,
        modern_page=modern_page,
        modern_sender=modern_sender,
        capability=capability or None,
        # What a peer announces, it must itself have declared.
        declared_by=("client" if sender == "client" else "server") if capability else None,
        extensions=MappingProxyType({_E: TASKS_EXTENSION} if extension else {}),
    )


_D_ONLY: Final = frozenset({_D})
_E_ONLY: Final = frozenset({_E})
_C_AND_D: Final = frozenset({_C, _D})
_TASKS_PAGE: Final = "basic/utilities/tasks"
_PATTERNS: Final = "basic/patterns"

_TABLE: Final = (
    _request("initialize", "basic/lifecycle", revisions=_HANDSHAKE),
    _request("ping", "basic/utilities/ping", sender="both", revisions=_HANDSHAKE),
    _request("server/discover", "server/discover", revisions=_E_ONLY),
    _request("tools/list", "server/tools", "tools"),
    _request("tools/call", "server/tools", "tools"),
    _request("resources/list", "server/resources", "resources"),
    _request("resources/templates/list", "server/resources", "resources"),
    _request("resources/read", "server/resources", "resources"),
    _request(
        "resources/subscribe", "server/resources", "resources", "subscribe", revisions=_HANDSHAKE
    ),
    _request(
        "resources/unsubscribe", "server/resources", "resources", "subscribe", revisions=_HANDSHAKE
    ),
    _request("prompts/list", "server/prompts", "prompts"),
    _request("prompts/get", "server/prompts", "prompts"),
    _request(
        "completion/complete", "server/utilities/completion", "completions", capability_since=_B
    ),
    _request("logging/setLevel", "server/utilities/logging", "logging", revisions=_HANDSHAKE),
    _request(
        "subscriptions/listen",
        f"{_PATTERNS}/subscriptions",
        revisions=_E_ONLY,
    ),
    _request(
        "sampling/createMessage",
        "client/sampling",
        "sampling",
        sender="server",
        revisions=_HANDSHAKE,
        embedded=True,
    ),
    _request(
        "roots/list",
        "client/roots",
        "roots",
        sender="server",
        revisions=_HANDSHAKE,
        embedded=True,
    ),
    _request(
        "elicitation/create",
        "client/elicitation",
        "elicitation",
        sender="server",
        revisions=_C_AND_D,
        embedded=True,
    ),
    _request("tasks/get", _TASKS_PAGE, "tasks", sender="both", revisions=_D_ONLY, extension=True),
    _request("tasks/result", _TASKS_PAGE, "tasks", sender="both", revisions=_D_ONLY),
    _request("tasks/list", _TASKS_PAGE, "tasks", "list", sender="both", revisions=_D_ONLY),
    _request(
        "tasks/cancel",
        _TASKS_PAGE,
        "tasks",
        "cancel",
        sender="both",
        revisions=_D_ONLY,
        extension=True,
    ),
    _request("tasks/update", _TASKS_PAGE, revisions=frozenset(), extension=True),
    _notification(
        "notifications/initialized", "basic/lifecycle", sender="client", revisions=_HANDSHAKE
    ),
    _notification(
        "notifications/cancelled",
        "basic/utilities/cancellation",
        sender="both",
        modern_page=f"{_PATTERNS}/cancellation",
    ),
    _notification(
        "notifications/progress",
        "basic/utilities/progress",
        sender="both",
        modern_page=f"{_PATTERNS}/progress",
        modern_sender="server",
    ),
    _notification("notifications/message", "server/utilities/logging", "logging"),
    _notification("notifications/tools/list_changed", "server/tools", "tools", "listChanged"),
    _notification(
        "notifications/resources/list_changed", "server/resources", "resources", "listChanged"
    ),
    _notification("notifications/prompts/list_changed", "server/prompts", "prompts", "listChanged"),
    _notification("notifications/resources/updated", "server/resources", "resources", "subscribe"),
    _notification(
        "notifications/roots/list_changed",
        "client/roots",
        "roots",
        "listChanged",
        sender="client",
        revisions=_HANDSHAKE,
    ),
    _notification("notifications/elicitation/complete", "client/elicitation", revisions=_D_ONLY),
    _notification("notifications/tasks/status", _TASKS_PAGE, sender="both", revisions=_D_ONLY),
    _notification("notifications/tasks", _TASKS_PAGE, revisions=frozenset(), extension=True),
    _notification(
        "notifications/subscriptions/acknowledged",
        f"{_PATTERNS}/subscriptions",
        revisions=_E_ONLY,
    ),
)

METHODS: Final[Mapping[str, Method]] = MappingProxyType({row.name: row for row in _TABLE})
"""Every method of every revision and of the tasks extension, by name."""

INPUT_REQUIRED_METHODS: Final = frozenset({"tools/call", "prompts/get", "resources/read"})
"""2026-07-28: the requests that may be answered with an `input_required` result."""

BYSTANDERS: Final = frozenset(
    {
        "initialize",
        "ping",
        "logging/setLevel",
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/subscribe",
        "resources/unsubscribe",
        "subscriptions/listen",
        "tasks/list",
        "tasks/get",
        "tasks/cancel",
    }
)
"""Requests of ours during which a server has nothing to ask."""


def method(name: str) -> Method | None:
    """The row of `name`, or None where no revision knows it."""
    return METHODS.get(name)


def allowed(name: str, revision: Revision) -> bool:
    """Whether `name` may travel as a message of its own in `revision`, in its core or in an
    extension that `extension_of` names."""
    row = METHODS.get(name)
    return row is not None and (revision in row.revisions or revision in row.extensions)


def extension_of(name: str, revision: Revision) -> str | None:
    """The extension that `name` belongs to in `revision`; None where it is core or unknown."""
    row = METHODS.get(name)
    if row is None or revision in row.revisions:
        return None
    return row.extensions.get(revision)


def introduced_in(name: str) -> Revision | None:
    """The first revision in which `name` may be used, as core or extension."""
    row = METHODS.get(name)
    return min((*row.revisions, *row.extensions, *row.embedded), default=None) if row else None
