"""Rules of authorization (`basic/authorization`): challenges and metadata as they crossed the wire.

Decides by HTTP entries alone. What a client does with a challenge, and whether it goes on, is
decided in `inspector.auth`.
"""

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from inspector.journal.entries import HttpFacts
from inspector.journal.recent import Recent
from inspector.lint.exchange import WELL_KNOWN, Exchange
from inspector.lint.rule import Rule, pointer, quoted, rule
from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import JsonObject

_PAGE: Final = "basic/authorization"
BODY_LIMIT: Final = 256 * 1024
_RESOURCE: Final = "/.well-known/oauth-protected-resource"
_SERVER: Final = "/.well-known/oauth-authorization-server"
_OPENID: Final = "/.well-known/openid-configuration"
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_OFFLINE: Final = re.compile(r"(?<!\S)offline_access(?!\S)")
_SCOPE: Final = re.compile(r"\bscope\s*=\s*(?:\"([^\"]*)\"|([^\s,]+))", re.I)

_METADATA: Final = re.compile(r"\bresource_metadata\s*=\s*(?:\"([^\"]+)\"|([^\s,]+))", re.I)

RULES: Final[tuple[Rule, ...]] = (
    rule("auth/no-resource-metadata", "A challenge names no metadata", _PAGE, error="C", warn="DE"),
    rule("auth/no-scope-hint", "A challenge names no scope", _PAGE, warn="DE"),
    rule("auth/prm-invalid", "The resource's metadata are not valid", _PAGE, error="CDE"),
    rule(
        "auth/prm-resource-mismatch",
        "The resource's metadata are of another resource",
        _PAGE,
        error="CDE",
    ),
    rule("auth/no-pkce-metadata", "The metadata do not tell of PKCE", _PAGE, error="DE"),
    rule("auth/issuer-mismatch", "The metadata are of another issuer", _PAGE, error="E"),
    rule("auth/http-endpoint", "An endpoint is not protected", _PAGE, error="BCDE"),
    rule("auth/offline-scope", "A resource asks for offline access", _PAGE, warn="E"),
    rule("auth/iss-not-advertised", "The metadata do not tell of iss", _PAGE, warn="E"),
)


@dataclass(slots=True)
class _Kept:
    named: Recent[str, bool] = field(default_factory=Recent)
    """Where challenges said that the metadata of the resource are."""


def exchanged(exchange: Exchange) -> None:
    """Judges one exchange."""
    facts, state, path = exchange.facts, exchange.state, exchange.path
    if path is None:
        return
    if facts.status == 401 and WELL_KNOWN not in path:
        _name(exchange)
        if not state.url or facts.url.partition("?")[0].rstrip("/") == state.url.rstrip("/"):
            _challenge(exchange)
    elif facts.status == 200 and facts.method == "GET":
        if _RESOURCE in path or state.shared.held(_Kept).named.get(facts.url):
            _resource(exchange)
        elif _SERVER in path or _OPENID in path:
            _server(exchange)


def _tell(exchange: Exchange, rule_id: str, message: str, place: str = "/body") -> None:
    exchange.report(rule_id, message, place)


def _said(exchange: Exchange) -> str:
    """What the answer wants of who asks."""
    return ", ".join(
        value
        for name, value in exchange.facts.response_headers
        if name.lower() == "www-authenticate"
    )


def _name(exchange: Exchange) -> None:
    """Remembers where the metadata of the resource are."""
    named = exchange.state.shared.held(_Kept).named
    for found in _METADATA.finditer(_said(exchange)):
        named.put(found[1] or found[2], True)


def _challenge(exchange: Exchange) -> None:
    said = _said(exchange)
    if "resource_metadata" not in said.lower():
        _tell(
            exchange,
            "auth/no-resource-metadata",
            "The answer 401 must say in WWW-Authenticate, by resource_metadata, where the metadata"
            " are.",
            "/responseHeaders",
        )
    scope = _SCOPE.search(said)
    if scope is None:
        _tell(
            exchange,
            "auth/no-scope-hint",
            "The challenge should say by scope which ones are needed.",
            "/responseHeaders",
        )
    elif _OFFLINE.search(scope[1] or scope[2] or ""):
        _tell(
            exchange,
            "auth/offline-scope",
            "The challenge should not ask for offline_access, which is not the resource's concern.",
            "/responseHeaders",
        )


def _object(facts: HttpFacts) -> JsonObject | None:
    """The metadata in a body; None where there are none to be judged."""
    if not facts.body or len(facts.body) > BODY_LIMIT:
        return None
    try:
        value = parse_json(facts.body)
    except NotJsonError:
        return None
    return value if isinstance(value, dict) else None


def _resource(exchange: Exchange) -> None:
    facts, state = exchange.facts, exchange.state
    held = _object(facts)
    if held is None:
        if facts.body:
            _tell(
                exchange, "auth/prm-invalid", "The metadata of the resource must be a JSON object."
            )
        return
    resource, servers = held.get("resource"), held.get("authorization_servers")
    if not isinstance(resource, str):
        _tell(exchange, "auth/prm-invalid", "The metadata must name the resource in resource.")
    elif state.url and not _covers(resource, state.url):
        _tell(
            exchange,
            "auth/prm-resource-mismatch",
            f"The metadata are of the resource {quoted(resource)}, and must be of"
            f" {quoted(state.url)}.",
        )
    if not isinstance(servers, list) or not servers:
        _tell(
            exchange,
            "auth/prm-invalid",
            "The metadata must name at least one of authorization_servers.",
        )
    scopes = held.get("scopes_supported")
    if isinstance(scopes, list) and "offline_access" in scopes:
        _tell(
            exchange,
            "auth/offline-scope",
            "scopes_supported of a resource should not have offline_access, which is not its"
            " concern.",
        )


def _covers(resource: str, url: str) -> bool:
    """Whether a resource is the server's address or what that lies under."""
    try:
        outer, inner = urlsplit(resource), urlsplit(url)
        same = (outer.scheme, outer.hostname, outer.port) == (
            inner.scheme,
            inner.hostname,
            inner.port,
        )
    except ValueError:
        return False
    above = outer.path.rstrip("/")
    return same and (inner.path.rstrip("/") == above or inner.path.startswith(above + "/"))


def _server(exchange: Exchange) -> None:
    facts = exchange.facts
    held = _object(facts)
    if held is None:
        return
    issuer, wanted = held.get("issuer"), _issuer_of(facts.url)
    if isinstance(issuer, str) and issuer.rstrip("/") != wanted.rstrip("/"):
        _tell(
            exchange,
            "auth/issuer-mismatch",
            f"The metadata are of the issuer {quoted(issuer)}, and must be of {quoted(wanted)}.",
        )
    if "code_challenge_methods_supported" not in held:
        _tell(
            exchange,
            "auth/no-pkce-metadata",
            "The metadata lack code_challenge_methods_supported, without which a client must not"
            " go on.",
        )
    if held.get("authorization_response_iss_parameter_supported") is not True:
        _tell(
            exchange,
            "auth/iss-not-advertised",
            "The metadata should say by authorization_response_iss_parameter_supported that answers"
            " name their issuer.",
        )
    for name, value in held.items():
        if name.endswith("_endpoint") and isinstance(value, str) and _is_open(value):
            _tell(
                exchange,
                "auth/http-endpoint",
                f"{name} is {quoted(value)}; it must be https, or on this machine.",
                "/body" + pointer(name),
            )


def _issuer_of(url: str) -> str:
    parts = urlsplit(url)
    path = parts.path
    for known in (_SERVER, _OPENID):
        path = path.replace(known, "", 1)
    return f"{parts.scheme}://{parts.netloc}{path}"


def _is_open(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "http" and parts.hostname not in _LOOPBACK
