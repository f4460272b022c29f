"""The requests that the OAuth rules ask for, and how an answer's body is read: as an object, as an
OAuth error, field by field.

Sending is the shell's business. A request's `repr` shows neither its headers' values nor its body;
what an error says is the authorization server's text and goes through the one door like any other.
"""

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Final
from urllib.parse import quote, urlencode

from inspector.protocol.json_text import Json, JsonObject, NotJsonError, parse_json
from inspector.protocol.numbers import measured

FORM_TYPE: Final = "application/x-www-form-urlencoded"
_ERROR_CODE: Final = re.compile(r"[\x20-\x21\x23-\x5b\x5d-\x7e]{1,200}")
"""RFC 6749 appendix A.7, and a bound of ours."""

_SHOWN_MOST: Final = 200

Form = tuple[tuple[str, str], ...]


class Step(Enum):
    """Which request of the flow this is, as it is shown."""

    RESOURCE_METADATA = "protected resource metadata"
    SERVER_METADATA = "authorization server metadata"
    REGISTRATION = "client registration"
    CODE = "token request with a code"
    REFRESH = "token request with a refresh token"
    CLIENT_CREDENTIALS = "token request with client credentials"
    REVOCATION = "token revocation"


@dataclass(frozen=True, slots=True)
class OAuthRequest:
    """A request for somebody else to send. Redirects are not to be followed."""

    step: Step
    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    body: bytes = field(default=b"", repr=False)


def get(step: Step, url: str, headers: Form = ()) -> OAuthRequest:
    """A request for a JSON document."""
    return OAuthRequest(step, "GET", url, (("Accept", "application/json"), *headers))


def post_form(step: Step, url: str, form: Form, headers: Form = ()) -> OAuthRequest:
    """A form, as token and revocation endpoints take it (RFC 6749 section 4.1.3)."""
    body = urlencode(form, quote_via=quote, safe="", errors="replace").encode("ascii")
    own = (("Accept", "application/json"), ("Content-Type", FORM_TYPE))
    return OAuthRequest(step, "POST", url, (*own, *headers), body)


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """An endpoint said no (RFC 6749 section 5.2, RFC 7591 section 3.2.2), or something that is no
    answer. `error` is empty where no OAuth error was sent; `reason` is then a clause for a person.
    """

    status: int
    error: str = ""
    description: str = ""
    uri: str = ""
    reason: str = ""

    @property
    def final(self) -> bool:
        """Whether the grant itself is void, so that tokens may be dropped. A server in trouble
        (5xx, 429) or a proxy's page says nothing about the grant."""
        return 400 <= self.status < 500 and self.error == "invalid_grant"

    @property
    def client_unknown(self) -> bool:
        """Whether the client, not the grant, was refused: registering anew may help."""
        return 400 <= self.status < 500 and self.error in {"invalid_client", "unauthorized_client"}


def read_object(body: bytes) -> JsonObject | str:
    """The JSON object in `body`, or a clause that says why it is none."""
    try:
        value = parse_json(body)
    except NotJsonError as error:
        return f"it is no JSON: {error}"
    return value if isinstance(value, dict) else "it is no JSON object"


def read_error(status: int, body: bytes) -> ErrorAnswer:
    """What an answer that is no success says."""
    found = read_object(body)
    if isinstance(found, str):
        return ErrorAnswer(status, reason=f"HTTP {status}, and no OAuth error: {found}")
    error = text_of(found, "error")
    if not _ERROR_CODE.fullmatch(error):
        return ErrorAnswer(status, reason=f"HTTP {status}, and no OAuth error in the object sent")
    return ErrorAnswer(
        status, error, text_of(found, "error_description"), text_of(found, "error_uri")
    )


def text_of(document: JsonObject, name: str) -> str:
    """The text under `name`; empty where there is none."""
    value = document.get(name)
    return value if isinstance(value, str) else ""


def texts_of(document: JsonObject, name: str) -> tuple[str, ...] | None:
    """The list of texts under `name`; None where there is none, or something else."""
    value = document.get(name)
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        return None
    return tuple(part for part in value if isinstance(part, str))


def number_of(value: Json) -> float | None:
    """A number of seconds that a clock can be moved by, or None; a boolean is none."""
    number = measured(value)
    return number if number is not None and abs(number) < 1e15 else None


def shown(value: object) -> str:
    """What the network sent, cut and in ASCII, for a message."""
    text = value if isinstance(value, str) else repr(value)[:_SHOWN_MOST]
    return ascii(text[:_SHOWN_MOST])
