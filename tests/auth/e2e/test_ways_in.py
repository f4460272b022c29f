"""The many honest ways to a token, and what the user may choose: each gets in, and the server has
nothing to complain about."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from inspector.auth.metadata import CLIENT_CREDENTIALS_GRANT, Allowances
from inspector.auth.registration import AuthMethod, Client, ClientOrigin
from inspector.auth.secret import Secret
from inspector.auth.signing import make_signer
from inspector.protocol.versions import Revision
from tests.auth.e2e.attempt import attempt
from tests.auth.e2e.scripted_person import Person
from tests.auth.e2e.visit import Clock, Visit
from tests.servers.auth_rules import Registered
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import HONEST, LEFT_OUT, Canned, Toggles

PRM = 'resource_metadata="{prm}"'


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[AuthServer, AuthServer]]:
    with serving() as other, serving(names={"other": other.origin}) as server:
        yield server, other


@pytest.fixture
def server(running: tuple[AuthServer, AuthServer]) -> AuthServer:
    for each in running:
        each.reset(HONEST)
    return running[0]


@pytest.fixture
def other(running: tuple[AuthServer, AuthServer]) -> AuthServer:
    return running[1]


def scope_asked(server: AuthServer) -> str | None:
    return server.requests("authorize")[-1].form.get("scope")


@pytest.mark.parametrize(
    ("toggles", "scope"),
    [
        (Toggles(), "tools"),
        (Toggles(challenge=(f'Bearer {PRM}, scope="tools extra"',)), "tools extra"),
        (Toggles(challenge=(f'Bearer {PRM}, error_description="x, scope=\\"evil\\""',)), "tools"),
        (Toggles(challenge=(f"bearer realm=a,scope=tools , {PRM}",)), "tools"),
        (Toggles(challenge=('Basic realm="x"', f"Bearer {PRM}")), "tools"),
        (Toggles(challenge=(f'Digest realm="x", nonce="y", Bearer {PRM}',)), "tools"),
        (Toggles(challenge=("Negotiate abc==", f"Bearer {PRM}")), "tools"),
        (Toggles(challenge=('Bearer realm="open',)), "tools"),
        (Toggles(challenge=()), "tools"),
        (Toggles(challenge=("Bearer",), prm_places=("root",)), "tools"),
        (Toggles(challenge=("Bearer",), prm={"scopes_supported": LEFT_OUT}), None),
        (Toggles(prm={"scopes_supported": ["a", "b"]}), "a b"),
        (Toggles(issuer_path="/tenant"), "tools"),
        (Toggles(issuer_path="/tenant", metadata_places=("openid",)), "tools"),
        (Toggles(issuer_path="/tenant", metadata_places=("appended",)), "tools"),
        (Toggles(metadata_places=("openid",)), "tools"),
        (Toggles(prm={"resource": "{origin}"}, any_resource=True), "tools"),
        (Toggles(prm={"resource": "{resource}/"}, any_resource=True), "tools"),
        (Toggles(metadata={"authorization_endpoint": "{origin}/authorize?tenant=a"}), "tools"),
        (Toggles(metadata={"authorization_response_iss_parameter_supported": LEFT_OUT},
                 redirect={"iss": LEFT_OUT}), "tools"),
        (Toggles(metadata={"scopes_supported": ["tools", "offline_access"]}),
         "tools offline_access"),
        (Toggles(metadata={"token_endpoint_auth_methods_supported": ["client_secret_basic"]}),
         "tools"),
        (Toggles(metadata={"token_endpoint_auth_methods_supported": ["client_secret_post"]}),
         "tools"),
        (Toggles(forms=True), "tools"),
        (Toggles(token={"token_type": "bearer"}), "tools"),
        (Toggles(token={"expires_in": "3600"}), "tools"),
        (Toggles(token={"expires_in": LEFT_OUT}), "tools"),
        (Toggles(token={"expires_in": "soon"}), "tools"),
        (Toggles(token={"expires_in": -1}), "tools"),
        (Toggles(token={"expires_in": 10**30}), "tools"),
        (Toggles(token={"scope": LEFT_OUT}), "tools"),
        (Toggles(token={"scope": ["a"]}), "tools"),
        (Toggles(id_token=True), "tools"),
        (Toggles(refresh_tokens=False), "tools"),
    ],
    ids=[
        "plain", "scope-in-challenge", "scope-in-a-description", "loose-challenge", "basic-first",
        "digest-in-one-line", "negotiate-first", "broken-challenge", "no-challenge", "at-the-root",
        "no-scopes", "two-scopes", "issuer-with-path", "openid", "openid-appended", "openid-root",
        "resource-is-the-origin", "resource-with-a-slash", "endpoint-with-query", "no-iss",
        "offline-access", "basic-only", "post-only", "forms", "small-bearer", "expires-in-text",
        "no-expiry", "expiry-in-words", "expired", "expires-never", "no-scope-granted",
        "scope-is-a-list", "id-token", "no-refresh-token",
    ],
)  # fmt: skip
async def test_an_honest_server_lets_us_in(
    server: AuthServer, toggles: Toggles, scope: str | None, tmp_path: Path
) -> None:
    server.reset(toggles)
    outcome = await attempt(server, tmp_path, Person())
    assert outcome.ok, outcome.error
    assert scope_asked(server) == scope
    assert server.rules.complaints == []
    leaked = [kind for kind, text in server.rules.secrets if text.encode() in outcome.recorded]
    assert leaked == []


async def test_an_endpoint_with_a_query_keeps_it(server: AuthServer, tmp_path: Path) -> None:
    server.turn(metadata={"authorization_endpoint": "{origin}/authorize?tenant=a%20b&state=evil"})
    person = Person()
    outcome = await attempt(server, tmp_path, person)
    assert outcome.ok, outcome.error
    assert "tenant=a%20b" in person.urls[0]
    assert person.urls[0].count("?") == 1
    assert person.urls[0].count("state=") == 1


async def test_the_user_chooses_among_several_servers(
    server: AuthServer, other: AuthServer, tmp_path: Path
) -> None:
    server.turn(prm={"authorization_servers": ["{other}", "{issuer}"]})
    person = Person(issuer=server.issuer)
    outcome = await attempt(server, tmp_path, person)
    assert outcome.ok, outcome.error
    assert person.asked == ["server"]
    assert other.log == []


async def test_a_slash_more_can_be_allowed_once(server: AuthServer, tmp_path: Path) -> None:
    slash = Toggles(metadata={"issuer": "{issuer}/"}, redirect={"iss": "{issuer}/"})
    server.reset(slash)
    person = Person(allows_issuer=True)
    outcome = await attempt(server, tmp_path, person)
    assert outcome.ok, outcome.error
    assert person.asked == ["issuer"]


async def test_another_issuer_cannot_be_allowed(server: AuthServer, tmp_path: Path) -> None:
    server.turn(metadata={"issuer": "https://evil.example"})
    person = Person(allows_issuer=True)
    outcome = await attempt(server, tmp_path, person)
    assert not outcome.ok
    assert person.asked == []


async def test_missing_words_on_pkce_can_be_allowed(server: AuthServer, tmp_path: Path) -> None:
    server.turn(metadata={"code_challenge_methods_supported": LEFT_OUT})
    allowed = {"allowances": Allowances(missing_pkce_metadata=True)}
    outcome = await attempt(server, tmp_path, Person(), allowed)
    assert outcome.ok, outcome.error
    assert server.requests("authorize")[0].form["code_challenge_method"] == "S256"


async def test_plain_pkce_cannot_be_allowed(server: AuthServer, tmp_path: Path) -> None:
    server.turn(metadata={"code_challenge_methods_supported": ["plain"]})
    allowed = {"allowances": Allowances(missing_pkce_metadata=True)}
    outcome = await attempt(server, tmp_path, Person(), allowed)
    assert not outcome.ok
    assert server.requests("authorize") == []


KEY = ec.generate_private_key(ec.SECP256R1())
PRIVATE = KEY.private_bytes(
    serialization.Encoding.PEM,
    serialization.PrivateFormat.PKCS8,
    serialization.NoEncryption(),
)
PUBLIC = (
    KEY.public_key()
    .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    .decode()
)


def ours(method: AuthMethod, secret: str = "") -> Client:
    held = Secret(secret) if secret else None
    return Client("ours", ClientOrigin.PREREGISTERED, method, held)


@pytest.mark.parametrize(
    ("known", "client"),
    [
        (Registered("ours"), ours(AuthMethod.NONE)),
        (
            Registered("ours", "s3cret-é: of&ours", "client_secret_basic"),
            ours(AuthMethod.BASIC, "s3cret-é: of&ours"),
        ),
        (
            Registered("ours", "s3cret of ours", "client_secret_post"),
            ours(AuthMethod.POST, "s3cret of ours"),
        ),
    ],
    ids=["none", "basic", "post"],
)
async def test_a_client_that_was_registered_before(
    server: AuthServer, known: Registered, client: Client, tmp_path: Path
) -> None:
    server.rules.clients["ours"] = known
    outcome = await attempt(server, tmp_path, Person(), {"client": client})
    assert outcome.ok, outcome.error
    assert server.requests("register") == []
    assert server.rules.complaints == []


@pytest.mark.parametrize("way", ["secret", "key"])
async def test_a_program_on_its_own_behalf_needs_no_person(
    server: AuthServer, way: str, tmp_path: Path
) -> None:
    choices: dict[str, object] = {"grant": CLIENT_CREDENTIALS_GRANT}
    if way == "secret":
        server.rules.clients["ours"] = Registered("ours", "s3cret of ours", "client_secret_basic")
        choices["client"] = ours(AuthMethod.BASIC, "s3cret of ours")
    else:
        server.rules.clients["ours"] = Registered("ours", "", "private_key_jwt", (), PUBLIC)
        choices |= {"client": ours(AuthMethod.PRIVATE_KEY_JWT), "sign": make_signer(PRIVATE)}
    person = Person()
    outcome = await attempt(server, tmp_path, person, choices)
    assert outcome.ok, outcome.error
    assert person.urls == []
    assert server.rules.complaints == []
    leaked = [kind for kind, text in server.rules.secrets if text.encode() in outcome.recorded]
    assert leaked == []


async def test_a_key_that_is_not_ours_gets_no_token(server: AuthServer, tmp_path: Path) -> None:
    other_key = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    server.rules.clients["ours"] = Registered("ours", "", "private_key_jwt", (), PUBLIC)
    choices = {
        "grant": CLIENT_CREDENTIALS_GRANT,
        "client": ours(AuthMethod.PRIVATE_KEY_JWT),
        "sign": make_signer(other_key),
    }
    outcome = await attempt(server, tmp_path, Person(), choices)
    assert "invalid_client" in outcome.error
    assert outcome.grant is None


async def test_a_metadata_document_is_the_client_where_the_server_takes_it(
    server: AuthServer, tmp_path: Path
) -> None:
    server.turn(metadata={"client_id_metadata_document_supported": True})
    document = "https://client.example/metadata.json"
    outcome = await attempt(server, tmp_path, Person(), {"document_url": document})
    assert outcome.ok, outcome.error
    assert server.requests("register") == []
    assert server.requests("authorize")[0].form["client_id"] == document


async def test_without_such_support_the_client_is_registered(
    server: AuthServer, tmp_path: Path
) -> None:
    document = "https://client.example/metadata.json"
    outcome = await attempt(server, tmp_path, Person(), {"document_url": document})
    assert outcome.ok, outcome.error
    assert len(server.requests("register")) == 1


@pytest.mark.parametrize("places", [("oauth",), ()], ids=["metadata", "default-endpoints"])
async def test_a_server_of_2025_03_26_has_no_resource_metadata(
    server: AuthServer, places: tuple[str, ...], tmp_path: Path
) -> None:
    server.reset(
        Toggles(
            prm_places=(),
            challenge=("Bearer",),
            metadata_places=places,
            resource_required=False,
            redirect={} if places else {"iss": LEFT_OUT},
        )
    )
    choices = {"revision": Revision.V2025_03_26}
    outcome = await attempt(server, tmp_path, Person(), choices)
    assert outcome.ok, outcome.error
    looked = server.requests("metadata")
    assert {seen.header("mcp-protocol-version") for seen in looked} == {"2025-03-26"}


async def test_a_secret_that_has_run_out_is_registered_anew(
    server: AuthServer, tmp_path: Path
) -> None:
    server.turn(
        metadata={"token_endpoint_auth_methods_supported": ["client_secret_post"]},
        registration={"client_secret_expires_at": 4_000_000_000},
    )
    first = await attempt(server, tmp_path, Person())
    assert first.ok, first.error
    server.rules.tokens.clear()
    server.turn(registration={})
    late = Clock()
    late.ahead = 4_000_000_000
    async with Visit(server.url, tmp_path, Person(), clock=late) as visit:
        assert await visit.call() == "5"
    assert len(server.requests("register")) == 2


async def test_a_client_that_the_server_forgot_is_registered_anew(
    server: AuthServer, tmp_path: Path
) -> None:
    """Servers that keep their clients in memory forget them at each restart."""
    async with Visit(server.url, tmp_path, Person()) as visit:
        server.rules.clients.clear()
        server.rules.tokens.clear()
        assert await visit.call() == "5"
    assert len(server.requests("register")) == 2


async def test_where_nobody_comes_back_with_an_earlier_client_a_retry_registers_anew(
    server: AuthServer, tmp_path: Path
) -> None:
    """The page of a server that forgot its clients says so to the person, and to nobody else."""
    first = await attempt(server, tmp_path, Person())
    assert first.ok, first.error
    server.rules.clients.clear()
    server.rules.tokens.clear()
    server.turn(canned={"token": (Canned(400, b'{"error":"invalid_grant"}'), None)})
    async with Visit(server.url, tmp_path, Person()) as visit:
        assert "nobody came back" in visit.error
        await visit.authority.retry()
        await visit.bench.reconnect()
        assert await visit.call() == "5"
    assert len(server.requests("register")) == 2


async def test_where_nobody_comes_back_with_an_earlier_client_the_next_run_registers_anew(
    server: AuthServer, tmp_path: Path
) -> None:
    first = await attempt(server, tmp_path, Person())
    assert first.ok, first.error
    server.rules.clients.clear()
    server.rules.tokens.clear()
    server.turn(canned={"token": (Canned(400, b'{"error":"invalid_grant"}'), None)})
    async with Visit(server.url, tmp_path, Person()) as visit:
        assert "nobody came back" in visit.error
    server.turn(canned={})
    async with Visit(server.url, tmp_path, Person()) as visit:
        assert await visit.call() == "5"
    assert len(server.requests("register")) == 2
