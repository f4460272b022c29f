"""What is said where a flow cannot go on: one function per way to fail, each with whose fault it is
and what to do next. Words only; when they are said is the flow's business.
"""

from collections.abc import Sequence
from typing import Final, Literal

from inspector.auth.authorize import Denied, Unusable, WrongServer
from inspector.auth.exchange import ErrorAnswer, Step, shown
from inspector.auth.policy import Refused
from inspector.auth.registration import WrongIssuer
from inspector.auth.remarks import refusal
from inspector.auth.search import Stopped
from inspector.errors import InspectorError
from inspector.protocol.versions import Revision

GIVEN_UP: Final = "given-up"
_TRY_AGAIN: Final = "try again from this step"


def url_refused(url: str, verdict: Refused) -> Stopped:
    """A URL or the address behind it must not be used."""
    message = f"{shown(url)} is not used: {verdict.reason}"
    hint = ""
    if verdict.source == "RFC 9728 section 7.7":
        hint = "addresses that are not public have to be allowed (--allow-private-addresses)"
    return Stopped(
        "url-refused", message, hint, remarks=(refusal("url-refused", message, verdict.source),)
    )


def server_refused(url: str, verdict: Refused) -> Stopped:
    """A token for the MCP server itself would not be safe on its way."""
    message = f"no token is asked for {shown(url)}: {verdict.reason}"
    hint = "everybody on the way could read it: use the server's https address, or a tunnel"
    return Stopped(
        "url-refused",
        message,
        hint,
        "you",
        remarks=(refusal("url-refused", message, verdict.source),),
    )


def unreachable(step: Step, url: str, reason: str) -> Stopped:
    """No answer came."""
    what = step.value if "request" in step.value else f"request for {step.value}"
    message = f"no answer to the {what} at {shown(url)}: {reason}"
    return Stopped("unreachable", message, _TRY_AGAIN, "network")


def no_resource_metadata(absent: Sequence[str], revision: Revision) -> Stopped:
    """The MCP server does not say who authorizes for it."""
    hint = "the server has to publish it, or you name the authorization server (--issuer)"
    if revision is not Revision.V2025_03_26:
        hint += "; a server of 2025-03-26 needs --protocol 2025-03-26"
    places = ", ".join(absent)
    return Stopped("metadata-absent", f"no protected resource metadata at {places}", hint)


def no_server_metadata(issuer: str, absent: Sequence[str]) -> Stopped:
    """The authorization server does not say where its endpoints are."""
    message = f"the authorization server {shown(issuer)} has no metadata at {', '.join(absent)}"
    return Stopped("metadata-absent", message, "is that its issuer, letter for letter?")


def issuer_not_named(issuer: str, named: Sequence[str]) -> Stopped:
    """The user wants a server that the resource does not name."""
    message = (
        f"the MCP server does not name {shown(issuer)} as its authorization server, "
        f"but {', '.join(named)}"
    )
    return Stopped("issuer-not-named", message, "choose one of these", "you")


def given_up(reason: str, hint: str = "") -> Stopped:
    """The user does not want to go on, or did nothing for too long."""
    return Stopped(GIVEN_UP, reason, hint or _TRY_AGAIN, "you")


def wrong_client(choice: WrongIssuer) -> Stopped:
    """The user's credentials are those of another server."""
    message = (
        f"the client that you named belongs to {shown(choice.expected)} "
        f"and is not shown to {shown(choice.found)}"
    )
    hint = "name the client of this one; where it is the same one, name the server too (--issuer)"
    return Stopped("client-of-another-server", message, hint, "you")


def of_error(error: InspectorError) -> Stopped:
    """What we or the user did wrong."""
    fault: Literal["you", "network"] = "network" if error.fault == "network" else "you"
    return Stopped(error.kind, error.message, error.hint, fault)


def registration_refused(answer: ErrorAnswer) -> Stopped:
    """The server does not register us (AU-07: its reason is shown)."""
    return _refused(
        "registration-refused",
        "the authorization server did not register us",
        answer,
        "name a client that was registered before (--client-id)",
    )


def token_refused(answer: ErrorAnswer) -> Stopped:
    """The token endpoint gave no token."""
    hints = {
        "invalid_grant": "a code is good for once and for a short time: try again",
        "invalid_client": "is that the right client, its secret and its way to prove it?",
        "unauthorized_client": "the client may not use this grant at this server",
        "invalid_scope": "choose other scopes (--scope)",
        "invalid_target": "the server does not know the resource that the MCP server names",
    }
    return _refused(
        "token-refused",
        "the authorization server gave no token",
        answer,
        hints.get(answer.error, _TRY_AGAIN),
    )


def redirect_refused(outcome: WrongServer | Unusable | Denied) -> Stopped:
    """The redirect was ours and brings no code."""
    match outcome:
        case WrongServer(reason):
            message = f"the redirect is not used: {reason}"
            source = "RFC 9207 section 2.4"
            remark = refusal("iss-differs", message, source)
            hint = "this may be an attack: whatever else it said is not shown"
            return Stopped("wrong-server", message, hint, remarks=(remark,))
        case Unusable(reason):
            return Stopped("redirect-unusable", f"the redirect is not used: {reason}", _TRY_AGAIN)
        case Denied(error, description, _):
            said = f"{shown(error)}{_because(description)}"
            yours = error == "access_denied"
            return Stopped(
                "denied",
                f"the authorization server said no: {said}",
                _TRY_AGAIN,
                "you" if yours else "server",
            )


def _refused(kind: str, what: str, answer: ErrorAnswer, hint: str) -> Stopped:
    if answer.status >= 500 or answer.status == 429:
        status = f": HTTP {answer.status}"
        said = _said(answer)
        status = "" if said.startswith(status) else status
        return Stopped("server-trouble", f"{what}{status}{said}", _TRY_AGAIN)
    return Stopped(kind, f"{what}{_said(answer)}", hint)


def _said(answer: ErrorAnswer) -> str:
    if not answer.error:
        return f": {answer.reason}" if answer.reason else ""
    return f": {shown(answer.error)}{_because(answer.description)}"


def _because(description: str) -> str:
    return f" ({shown(description)})" if description else ""
