"""A server on the network may not point us at this machine, at private addresses, or at names that
resolve to such. The MCP server here has TLS and a name of its own; its name resolves to us."""

import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.auth.e2e.attempt import attempt
from tests.auth.e2e.scripted_person import Person
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import HONEST, Toggles
from tests.servers.certificates import certificates

NAMES = ("mcp.example", "as.example")


@dataclass(slots=True)
class Names:
    """What the names of the test resolve to: the next answer of each, the last one for ever."""

    answers: dict[str, list[tuple[str, ...]]]
    asked: list[str] = field(default_factory=list)

    def addresses(self, host: str) -> tuple[str, ...]:
        self.asked.append(host)
        answers = self.answers[host]
        return answers.pop(0) if len(answers) > 1 else answers[0]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """The resolver of the machine, for the names of the test."""
    known = Names({name: [("127.0.0.1",)] for name in NAMES})
    system = socket.getaddrinfo

    def getaddrinfo(host: Any, port: Any, *more: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name not in known.answers:
            return system(host, port, *more, **named)
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, int(port or 0)))
            for address in known.addresses(name)
        ]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return known


@dataclass(slots=True)
class House:
    """Two servers with names, and somebody who trusts their certificates."""

    mcp: AuthServer
    other: AuthServer
    trust: ssl.SSLContext


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Path]]:
    authority, certificate = certificates(tmp_path_factory.mktemp("certificates"), NAMES)
    trust = ssl.create_default_context(cafile=str(authority))
    with serving(host="as.example", certificate=certificate) as other:
        more = {"other": other.origin}
        with serving(names=more, host="mcp.example", certificate=certificate) as mcp:
            yield House(mcp, other, trust), authority


@pytest.fixture
def house(built: tuple[House, Path], names: Names, monkeypatch: pytest.MonkeyPatch) -> House:
    found, authority = built
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    found.mcp.reset(HONEST)
    found.other.reset(HONEST)
    return found


async def test_the_host_that_the_user_chose_may_resolve_to_anything(
    house: House, tmp_path: Path
) -> None:
    outcome = await attempt(house.mcp, tmp_path, Person(trust=house.trust))
    assert outcome.ok, outcome.error
    assert house.mcp.rules.complaints == []


@pytest.mark.parametrize(
    ("toggles", "says"),
    [
        (Toggles(prm={"authorization_servers": ["{other}"]}), "points at this machine"),
        (Toggles(metadata={"token_endpoint": "{other}/token"}), "points at this machine"),
        (Toggles(metadata={"registration_endpoint": "{other}/register"}), "points at this"),
        (Toggles(prm={"authorization_servers": ["https://127.0.0.1:1"]}), "authorization server"),
        (Toggles(prm={"authorization_servers": ["https://10.0.0.5"]}), "authorization server"),
        (Toggles(prm={"authorization_servers": ["https://[::1]"]}), "authorization server"),
        (Toggles(prm={"authorization_servers": ["https://2130706433"]}), "authorization server"),
        (Toggles(prm={"authorization_servers": ["https://localhost"]}), "authorization server"),
        (Toggles(metadata={"token_endpoint": "https://169.254.169.254/x"}), "cloud"),
        (Toggles(metadata={"token_endpoint": "https://[::ffff:10.0.0.1]/"}), "not a public"),
        (Toggles(metadata={"registration_endpoint": "https://0x7f.1/r"}), "in disguise"),
        (Toggles(metadata={"token_endpoint": "http://mcp.example/token"}), "http and not on"),
        (Toggles(metadata={"authorization_endpoint": "https://192.168.1.1/"}), "not a public"),
    ],
)  # fmt: skip
async def test_it_may_not_point_us_at_what_is_not_public(
    house: House, toggles: Toggles, says: str, tmp_path: Path
) -> None:
    house.mcp.reset(toggles)
    outcome = await attempt(house.mcp, tmp_path, Person(trust=house.trust))
    assert not outcome.ok
    assert says in outcome.error
    assert house.other.log == []
    assert house.mcp.requests("token") == []
    assert outcome.grant is None


async def test_private_addresses_can_be_allowed_by_the_user(house: House, tmp_path: Path) -> None:
    house.mcp.reset(Toggles(metadata={"registration_endpoint": "{other}/register"}))
    person = Person(trust=house.trust)
    outcome = await attempt(house.mcp, tmp_path, person, {"private_allowed": True})
    assert len(house.other.requests("register")) == 1
    assert "unknown client" in str(house.mcp.rules.complaints)  # it was registered elsewhere
    assert not outcome.ok


@pytest.mark.parametrize(
    "addresses", [("127.0.0.1", "93.184.216.34"), ("93.184.216.34", "10.0.0.1"), ("::1",)]
)
async def test_one_address_that_is_not_public_is_enough(
    house: House, names: Names, addresses: tuple[str, ...], tmp_path: Path
) -> None:
    names.answers["as.example"] = [addresses]
    house.mcp.reset(Toggles(prm={"authorization_servers": ["{other}"]}))
    outcome = await attempt(house.mcp, tmp_path, Person(trust=house.trust))
    assert not outcome.ok
    assert "as.example" in outcome.error
    assert house.other.log == []


async def test_a_name_is_resolved_once_for_each_request(
    house: House, names: Names, tmp_path: Path
) -> None:
    """What is judged is what is connected to: a second answer is never asked for."""
    house.mcp.reset(Toggles(metadata={"registration_endpoint": "{other}/register"}))
    await attempt(house.mcp, tmp_path, Person(trust=house.trust), {"private_allowed": True})
    assert names.asked.count("as.example") == len(house.other.log) == 1


async def test_a_certificate_that_nobody_trusts_is_named(
    house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    outcome = await attempt(house.mcp, tmp_path, Person(trust=house.trust))
    assert "is not trusted" in outcome.error
    assert house.mcp.requests("prm") == []
