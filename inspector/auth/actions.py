"""What a flow wants next, and what it has done so far: the values between the pure flow, the driver
that carries its wishes out, and the screens that show it.

A flow has exactly one `action` at any time. The driver carries it out and tells the flow what came
of it; nothing else moves a flow.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from inspector.auth.authorize import AuthorizationRequest
from inspector.auth.exchange import OAuthRequest
from inspector.auth.grant import Grant
from inspector.auth.remarks import Remark

StepState = Literal["running", "waiting", "done", "failed"]


class Stage(Enum):
    """The steps of an authorization, in the order in which they come, as they are shown."""

    CHALLENGE = "challenge"
    RESOURCE = "protected resource metadata"
    SERVER = "authorization server metadata"
    CLIENT = "client"
    CONSENT = "consent in the browser"
    TOKEN = "token"


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step as it is shown. `found` are facts (name, value) without any secret; `where` is the
    URL asked last, `source` the rule that led there; `entries` are numbers in the journal."""

    stage: Stage
    state: StepState
    where: str = ""
    source: str = ""
    found: tuple[tuple[str, str], ...] = ()
    remarks: tuple[Remark, ...] = ()
    entries: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Send:
    """Send this request, following no redirect, and tell `answered` or `unreachable`."""

    request: OAuthRequest


@dataclass(frozen=True, slots=True)
class ChooseServer:
    """Several authorization servers: the user takes one (`chosen`)."""

    issuers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AllowIssuer:
    """The metadata names its issuer with or without the slash at the end: the user may allow that
    for this once (`issuer_allowed`)."""

    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class NameClient:
    """Only the user can name a client (`client_named`)."""

    issuer: str
    reason: str


@dataclass(frozen=True, slots=True)
class Listen:
    """A redirect URI is needed from here on (`listening`); one from before is not used again.

    `wanted` are those that the client is registered for: where one of them can be had, nobody has
    to register again, as servers compare them letter for letter. Empty: any will do.
    """

    wanted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Authorize:
    """The user has to say yes in a browser; each redirect that arrives goes to `redirected`."""

    request: AuthorizationRequest = field(repr=False)


@dataclass(frozen=True, slots=True)
class Finished:
    """There is a token."""

    grant: Grant


@dataclass(frozen=True, slots=True)
class Failed:
    """The flow stands still at `stage`; `retry` goes on from there.

    `kind` is a short stable word ("metadata-rejected", "denied", ...). No text holds a secret.
    """

    stage: Stage
    kind: str
    message: str
    hint: str = ""
    fault: Literal["you", "server", "network"] = "server"
    remarks: tuple[Remark, ...] = ()


Action = Send | ChooseServer | AllowIssuer | NameClient | Listen | Authorize | Finished | Failed
