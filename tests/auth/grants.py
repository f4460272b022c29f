"""Grants and clients to keep: one of each kind at hand, and hypothesis strategies for all."""

from hypothesis import strategies as st

from inspector.auth.grant import Grant
from inspector.auth.metadata import CODE_GRANT, AuthorizationServer
from inspector.auth.registration import AuthMethod, Client, ClientOrigin
from inspector.auth.remarks import Remark, Weight
from inspector.auth.secret import Secret
from inspector.auth.tokens import Tokens

SERVER = "https://mcp.example.com/mcp"
ISSUER = "https://auth.example.com"
NOW = 1_700_000_000.0


def a_client(issuer: str = ISSUER, secret: str | None = "client-s3cret") -> Client:
    return Client(
        "client-1",
        ClientOrigin.DYNAMIC,
        AuthMethod.POST,
        Secret(secret) if secret is not None else None,
        issuer,
        NOW + 9,
        ("http://127.0.0.1:1234/callback",),
    )


def a_grant(
    server_url: str = SERVER,
    issuer: str = ISSUER,
    *,
    access: str = "acc3ss",
    refresh: str | None = "refr3sh",
    at: float = NOW,
) -> Grant:
    return Grant(
        server_url,
        server_url,
        AuthorizationServer(issuer, f"{issuer}/token", f"{issuer}/authorize"),
        a_client(issuer),
        Tokens(
            Secret(access), Secret(refresh) if refresh else None, ("read", "write"), at, at + 60
        ),
        ("read",),
    )


_texts = st.text(st.characters(codec=None), max_size=20)  # lone surrogates too
_maybe_texts = st.none() | st.lists(_texts, max_size=3).map(tuple)
_secrets = _texts.map(Secret)
_seconds = st.floats(allow_nan=False)

servers = st.builds(
    AuthorizationServer,
    _texts,
    _texts,
    scopes_supported=_maybe_texts,
    grant_types=_maybe_texts,
    auth_methods=_maybe_texts,
    code_challenge_methods=_maybe_texts,
    iss_advertised=st.booleans(),
    metadata_documents=st.booleans(),
    guessed=st.booleans(),
)
clients = st.builds(
    Client,
    _texts,
    st.sampled_from(ClientOrigin),
    st.sampled_from(AuthMethod),
    st.none() | _secrets,
    _texts,
    st.none() | _seconds,
    st.lists(_texts, max_size=2).map(tuple),
)
tokens = st.builds(
    Tokens,
    _secrets,
    st.none() | _secrets,
    _maybe_texts,
    _seconds,
    st.none() | _seconds,
    st.lists(st.builds(Remark, st.sampled_from(Weight), _texts, _texts, _texts), max_size=2).map(
        tuple
    ),
)
grants = st.builds(
    Grant, _texts, st.none() | _texts, servers, clients, tokens, _maybe_texts, st.just(CODE_GRANT)
)
