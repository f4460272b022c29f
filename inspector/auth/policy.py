"""The one policy for every URL that the network names: metadata, issuers, endpoints; and what the
canonical form of our own resource is and when two resources are the same.

Judges texts and addresses. Looking names up is the shell's business, which must ask
`judge_address` about every address found and connect to the one that was judged, so that a name
cannot change its mind in between (2026-07-28 basic/authorization/security-considerations).
"""

import re
from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

LONGEST: Final = 8192
"""Longer URLs are refused."""

_URL_TEXT: Final = re.compile(r"[!-~]++")
_HOST_NAME: Final = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*+\.?")
_NUMBER: Final = re.compile(r"(?:0[xX][0-9A-Fa-f]*|[0-9]+)\.?")
_PORTS: Final = {"http": 80, "https": 443}
_NAT64: Final = IPv6Network("64:ff9b::/96")
_METADATA_NAMES: Final = frozenset({"metadata", "metadata.google.internal", "metadata.goog"})
_METADATA_ADDRESSES: Final = frozenset({"169.254.169.254", "168.63.129.16", "fd00:ec2::254"})

_TRANSPORT_RULE: Final = "OAuth 2.1 section 1.5"
_SSRF_RULE: Final = "RFC 9728 section 7.7"


@dataclass(frozen=True, slots=True)
class Perimeter:
    """Whose word we are acting upon: the host of the MCP server that the user chose.

    Only where that is this machine itself, or the user allows it, may the network point us at
    addresses that are not public. The host of the MCP server is always allowed: we talk to it.
    """

    host: str
    loopback: bool
    private_allowed: bool = False

    @property
    def inside(self) -> bool:
        """Whether addresses that are not public may be connected to."""
        return self.loopback or self.private_allowed


def perimeter(server_url: str, *, private_allowed: bool = False) -> Perimeter:
    """The perimeter of the MCP server at `server_url`, which the user chose."""
    host = _host(server_url)
    return Perimeter(host, is_loopback(host), private_allowed)


@dataclass(frozen=True, slots=True)
class Allowed:
    """A URL that may be used, as it was sent."""

    url: str
    host: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A URL or an address that must not be used: a clause that says why, and whose rule it is."""

    reason: str
    source: str


def judge_url(url: object, within: Perimeter, *, query: bool = True) -> Allowed | Refused:
    """Whether a URL from the network may be fetched, posted to or opened.

    `query=False` for issuers, which have none (RFC 8414 section 2).
    """
    if not isinstance(url, str) or not url:
        return Refused("it is no text", "RFC 3986 section 4.3")
    if len(url) > LONGEST:
        return Refused(f"it is longer than {LONGEST} characters", "our limit")
    if not _URL_TEXT.fullmatch(url) or "\\" in url:
        return Refused("it has characters that no URL has", "RFC 3986 section 2")
    parts = _split(url)
    if parts is None:
        return Refused("it cannot be read as a URL", "RFC 3986 section 3")
    if parts.scheme not in _PORTS:
        return Refused("its scheme is neither https nor http", _TRANSPORT_RULE)
    host = (parts.hostname or "").lower()
    if not host:
        return Refused("it names no host", "RFC 9110 section 4.2")
    if "@" in parts.netloc:
        return Refused("it carries a user name or password", "RFC 9110 section 4.2.4")
    if "#" in url:
        return Refused("it has a fragment", "RFC 6749 section 3.1")
    if not query and "?" in url:
        return Refused("it has a query", "RFC 8414 section 2")
    if parts.scheme == "http" and not is_loopback(host):
        return Refused("it is http and not on this machine", _TRANSPORT_RULE)
    reason = _judge_host(host, within)
    return Refused(reason, _SSRF_RULE) if reason else Allowed(url, host)


def judge_address(address: str, host: str, within: Perimeter) -> Refused | None:
    """Why `address`, to which `host` was resolved, must not be connected to; None if it may."""
    try:
        number = ip_address(address)
    except ValueError:
        return Refused("it is no address", _SSRF_RULE)
    reason = "" if within.inside or host.lower() == within.host else _why_not_public(number)
    return Refused(reason, _SSRF_RULE) if reason else None


def is_loopback(host: str) -> bool:
    """Whether `host` (a name or an address, in brackets or not) is this machine."""
    name = host.lower().rstrip(".").strip("[]")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return _plain(ip_address(name)).is_loopback
    except ValueError:
        return False


class ResourceMatch(Enum):
    """How the `resource` of a metadata document relates to the server we talk to."""

    SAME = "same"
    PARENT = "parent"
    """Same origin, and our path lies below it: a token for it is good for us."""
    OTHER = "other"


def canonical_resource(server_url: str) -> str:
    """The canonical URI of an MCP server: lower-case scheme and host, no default port, no
    fragment, no slash at the end (RFC 8707 section 2; 2025-06-18 basic/authorization, Canonical
    Server URI)."""
    parts = _split(server_url)
    if parts is None or not parts.hostname:
        return server_url.partition("#")[0]
    path = parts.path.rstrip("/")
    tail = f"?{parts.query}" if parts.query else ""
    return f"{_origin(parts)}{path}{tail}"


def origin(url: str) -> str:
    """Scheme, host and port of `url` in canonical form; empty where it has none."""
    parts = _split(url)
    return _origin(parts) if parts is not None and parts.hostname else ""


def match_resource(advertised: str, server_url: str) -> ResourceMatch:
    """Whether a token for `advertised` is one for the server at `server_url` (RFC 9728 section
    3.3; AU-02). Case of scheme and host, a default port and a slash at the end do not count."""
    theirs, ours = _split(advertised), _split(server_url)
    if theirs is None or ours is None or not _URL_TEXT.fullmatch(advertised):
        return ResourceMatch.OTHER
    if not theirs.hostname or "#" in advertised or "\\" in advertised:
        return ResourceMatch.OTHER
    if "@" in theirs.netloc or _origin(theirs) != _origin(ours):
        return ResourceMatch.OTHER
    segments = theirs.path.rstrip("/").split("/")
    own = ours.path.rstrip("/").split("/")
    if segments == own and theirs.query == ours.query:
        return ResourceMatch.SAME
    if own[: len(segments)] == segments and not theirs.query:
        return ResourceMatch.PARENT
    return ResourceMatch.OTHER


def resource_parameter(server_url: str, advertised: str | None) -> str:
    """The `resource` of authorization and token requests (RFC 8707 section 2; AU-09): what the
    metadata calls us, letter for letter, as the authorization server compares texts; else the
    canonical form of our URL."""
    if advertised and match_resource(advertised, server_url) is not ResourceMatch.OTHER:
        return advertised
    return canonical_resource(server_url)


def _judge_host(host: str, within: Perimeter) -> str:
    if "%" in host:
        return "its address names a network zone"
    try:
        number = ip_address(host)
    except ValueError:
        if ":" in host or not _HOST_NAME.fullmatch(host):
            return "its host is no name"
        if _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]):
            return "its host is an address in disguise"
        if within.inside or host == within.host:
            return ""
        if is_loopback(host):
            return "it points at this machine"
        return _METADATA if host.rstrip(".") in _METADATA_NAMES else ""
    return "" if within.inside or host == within.host else _why_not_public(number)


_METADATA: Final = "it is the metadata service of a cloud"


def _why_not_public(number: IPv4Address | IPv6Address) -> str:
    plain = _plain(number)
    if str(plain) in _METADATA_ADDRESSES:
        return _METADATA
    if plain.is_loopback or plain.is_unspecified:
        return "it points at this machine"
    if plain.is_link_local:
        return "it is a link-local address"
    site = isinstance(plain, IPv6Address) and plain.is_site_local  # RFC 3879: still routed as such
    if site or not plain.is_global or plain.is_multicast or plain.is_reserved:
        return "it is not a public address"
    return ""


def _plain(number: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address inside an IPv6 one, where that is what is reached."""
    if isinstance(number, IPv4Address):
        return number
    if number in _NAT64:
        return IPv4Address(int(number) & 0xFFFFFFFF)
    teredo = number.teredo
    return number.ipv4_mapped or number.sixtofour or (teredo[1] if teredo else number)


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    return None if port == 0 else parts


def _host(url: str) -> str:
    parts = _split(url)
    return (parts.hostname or "").lower() if parts is not None else ""


def _origin(parts: SplitResult) -> str:
    host = (parts.hostname or "").lower()
    shown = f"[{host}]" if ":" in host else host
    port = parts.port
    return f"{parts.scheme}://{shown}" + (
        f":{port}" if port is not None and port != _PORTS.get(parts.scheme) else ""
    )
