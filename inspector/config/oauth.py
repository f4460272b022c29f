"""What a user, or an entry of a config file, says about the authorization at one server.

Values only: what they add up to, and whether they make sense together, is decided by
`inspector.auth.profile`. The dialects of the entries differ: `oauth` of Claude Code, Gemini CLI and
VS Code (`clientId`, `callbackPort`, ...), `auth` of Cursor (`CLIENT_ID`, ...). Rules are never
waived by a file: the allowances are for the command line.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Final

from inspector.errors import UsageError

if TYPE_CHECKING:
    from inspector.config.expansion import Expander
    from inspector.config.jsonc import Json

CLIENT_CREDENTIALS: Final = "client_credentials"

_KEYS: Final = {
    "clientid": "client_id",
    "clientsecret": "client_secret",
    "clientmetadataurl": "client_metadata_url",
    "scope": "scope",
    "scopes": "scope",
    "issuer": "issuer",
    "redirecturi": "redirect_uri",
    "redirecturl": "redirect_uri",
    "tokenendpointauthmethod": "auth_method",
}
"""Keys of the dialects in small letters without lines between them, and what they set."""
_MEANINGLESS: Final = frozenset({"enabled", "granttype"})


@dataclass(frozen=True, slots=True)
class OAuthChoice:
    """What was chosen; empty where nothing was. `scope` is a list with spaces, None for what the
    server says. `missing_pkce_allowed` and `private_addresses_allowed` waive a rule."""

    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    client_metadata_url: str = ""
    scope: str | None = None
    issuer: str = ""
    client_credentials: bool = False
    private_key: Path | None = None
    key_algorithm: str = ""
    auth_method: str = ""
    redirect_uri: str = ""
    missing_pkce_allowed: bool = False
    private_addresses_allowed: bool = False


NOTHING_CHOSEN: Final = OAuthChoice()


def read_oauth(entry: "Mapping[str, Json]", expander: "Expander") -> OAuthChoice:
    """The `oauth` or `auth` object of an entry. Raises UsageError where a value makes no sense;
    unknown keys are noted."""
    given = entry.get("oauth", entry.get("auth"))
    where = "oauth" if "oauth" in entry else "auth"
    if given is None or isinstance(given, bool | str):
        # `true`, and in other programs the name of a provider; `false` where it is switched off.
        if given is not None and given is not True:
            expander.notes.append(f"ignored: {where}")
        return NOTHING_CHOSEN
    if not isinstance(given, dict):
        raise UsageError(f"{where} is not an object")
    texts: dict[str, str] = {}
    ignored = []
    for key, value in given.items():
        plain = key.lower().replace("_", "").replace("-", "")
        if (name := _KEYS.get(plain)) is not None:
            texts[name] = expander.expand(_text(value, f"{where}.{key}"), f"{where}.{key}")
        elif plain == "callbackport":
            port = _port(value, f"{where}.{key}")
            texts.setdefault("redirect_uri", f"http://localhost:{port}/callback")
        elif plain not in _MEANINGLESS:
            ignored.append(f"{where}.{key}")
    if ignored:
        expander.notes.append(f"ignored: {', '.join(sorted(ignored))}")
    return OAuthChoice(
        client_id=texts.get("client_id", ""),
        client_secret=texts.get("client_secret", ""),
        client_metadata_url=texts.get("client_metadata_url", ""),
        scope=texts.get("scope"),
        issuer=texts.get("issuer", ""),
        client_credentials=_grant(given) == CLIENT_CREDENTIALS,
        auth_method=texts.get("auth_method", ""),
        redirect_uri=texts.get("redirect_uri", ""),
    )


def described(choice: OAuthChoice) -> list[tuple[str, str]]:
    """What was chosen, by name, without the secret."""
    facts = (
        ("client id", choice.client_id),
        ("client secret", "given" if choice.client_secret else ""),
        ("client metadata", choice.client_metadata_url),
        ("scope", choice.scope or ""),
        ("issuer", choice.issuer),
        ("grant", CLIENT_CREDENTIALS if choice.client_credentials else ""),
        ("private key", str(choice.private_key or "")),
        ("key algorithm", choice.key_algorithm),
        ("client authentication", choice.auth_method),
        ("redirect URI", choice.redirect_uri),
    )
    return [(name, value) for name, value in facts if value]


def written_choice(choice: OAuthChoice) -> "dict[str, Json]":
    """The choice as JSON without the secret; `read_choice` reads it. Empty where nothing is."""
    written: dict[str, Json] = {}
    for name in (one.name for one in fields(choice)):
        value = getattr(choice, name)
        if value != getattr(NOTHING_CHOSEN, name) and name != "client_secret":
            written[name] = str(value) if isinstance(value, Path) else value
    return written


def read_choice(written: "Json") -> OAuthChoice:
    """What `written_choice` wrote; what makes no sense is left out."""
    facts = written if isinstance(written, dict) else {}

    def text(name: str) -> str:
        value = facts.get(name)
        return value if isinstance(value, str) else ""

    return OAuthChoice(
        client_id=text("client_id"),
        client_metadata_url=text("client_metadata_url"),
        scope=text("scope") if isinstance(facts.get("scope"), str) else None,
        issuer=text("issuer"),
        client_credentials=facts.get("client_credentials") is True,
        private_key=Path(text("private_key")) if text("private_key") else None,
        key_algorithm=text("key_algorithm"),
        auth_method=text("auth_method"),
        redirect_uri=text("redirect_uri"),
        missing_pkce_allowed=facts.get("missing_pkce_allowed") is True,
        private_addresses_allowed=facts.get("private_addresses_allowed") is True,
    )


def _grant(given: "Mapping[str, Json]") -> "Json":
    return next((value for key, value in given.items() if key in ("grantType", "grant_type")), None)


def _text(value: "Json", where: str) -> str:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return " ".join(part for part in value if isinstance(part, str))
    if isinstance(value, str):
        return value
    raise UsageError(f"{where} is not a text")


def _port(value: "Json", where: str) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 65536:
        raise UsageError(f"{where} is no port")
    return value
