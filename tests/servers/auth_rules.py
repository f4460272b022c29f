"""The honest authorization server: what it registers, to whom it gives codes and tokens, and what
it takes back. Strict on purpose: a client that leaves a parameter out is told so.

Knows no HTTP: forms in, (status, JSON) or a redirect's parameters out. All secrets that it ever
gave out or was given are in `secrets`, by kind, for tests that look for them.
"""

import base64
import hashlib
import json
import secrets as random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import unquote_plus, urlsplit

import jwt

from inspector.protocol.json_text import Json, JsonObject
from tests.servers.auth_toggles import Toggles, changed, filled

CODE: Final = "authorization_code"
Reply = tuple[int, JsonObject]


@dataclass(frozen=True, slots=True)
class Registered:
    """A client. Without `redirect_uris` every one on this machine is good."""

    client_id: str
    secret: str = ""
    method: str = "none"
    redirect_uris: tuple[str, ...] = ()
    public_key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Code:
    """What a code stands for."""

    client_id: str
    redirect_uri: str
    challenge: str
    scope: str
    resource: str
    family: str


@dataclass(frozen=True, slots=True)
class Token:
    """What a token stands for; `family` is shared by all that came of one consent."""

    kind: str
    client_id: str
    scope: str
    resource: str
    family: str


class Refusal(Exception):
    """An OAuth error, to be answered."""

    def __init__(self, error: str, description: str = "", status: int = 400) -> None:
        super().__init__(f"{error}: {description}")
        self.reply: Reply = (status, {"error": error, "error_description": description})


class Rules:
    """One authorization server's memory."""

    def __init__(self, toggles: Toggles, names: Mapping[str, str]) -> None:
        self.toggles = toggles
        self.names = names
        self.clients: dict[str, Registered] = {}
        self.codes: dict[str, Code] = {}
        self.used_codes: dict[str, str] = {}
        self.tokens: dict[str, Token] = {}
        self.retired: dict[str, str] = {}
        self.assertions: set[str] = set()
        self.secrets: list[tuple[str, str]] = []
        self.complaints: list[str] = []
        """What a client did wrong, in words: an honest client makes this list stay empty."""

    def new_secret(self, kind: str) -> str:
        """A value that can be recognised."""
        value = f"{kind}-{random.token_hex(16)}"
        self.secrets.append((kind, value))
        return value

    def learn(self, kind: str, value: str) -> None:
        """Remembers a secret that the client made."""
        if value:
            self.secrets.append((kind, value))

    def register(self, body: bytes) -> Reply:
        """RFC 7591."""
        try:
            asked = json.loads(body)
        except ValueError:
            asked = None
        if not isinstance(asked, dict):
            raise Refusal("invalid_client_metadata", "no JSON object")
        uris = asked.get("redirect_uris")
        if not isinstance(uris, list) or not uris or not all(_good_redirect(uri) for uri in uris):
            raise Refusal("invalid_redirect_uri", "https, or http on this machine")
        method = asked.get("token_endpoint_auth_method", "client_secret_basic")
        if method not in {"none", "client_secret_basic", "client_secret_post"}:
            raise Refusal("invalid_client_metadata", "token_endpoint_auth_method")
        secret = "" if method == "none" else self.new_secret("client_secret")
        client = Registered(f"client-{random.token_hex(6)}", secret, method, tuple(uris))
        answer: JsonObject = {
            **asked,
            "client_id": client.client_id,
            "token_endpoint_auth_method": method,
            "registration_access_token": self.new_secret("registration_access_token"),
            "registration_client_uri": f"{self.names['origin']}/register/{client.client_id}",
        }
        if secret:
            answer |= {"client_secret": secret, "client_secret_expires_at": 0}
        self.clients[client.client_id] = client
        return 201, self._changed(answer, self.toggles.registration)

    def judge_authorization(self, form: Mapping[str, str]) -> Registered:
        """RFC 6749 section 4.1.1 and RFC 7636; raises where not even a redirect is allowed."""
        client = self.clients.get(form.get("client_id", ""))
        if client is None and form.get("client_id", "").startswith("https://"):
            client = Registered(form["client_id"])
        if client is None:
            raise self._complain("invalid_client", "unknown client")
        uri = form.get("redirect_uri", "")
        if (client.redirect_uris and uri not in client.redirect_uris) or not _good_redirect(uri):
            raise self._complain("invalid_request", "redirect_uri is not registered")
        for name, value in (("response_type", "code"), ("code_challenge_method", "S256")):
            if form.get(name) != value:
                raise self._complain("invalid_request", f"{name} is not {value}")
        if len(form.get("state", "")) < 32 or len(form.get("code_challenge", "")) != 43:
            raise self._complain("invalid_request", "state or code_challenge is missing")
        self._check_resource(form)
        self.learn("state", form["state"])
        return client

    def grant_code(self, form: Mapping[str, str]) -> JsonObject:
        """The parameters of the redirect, once the person said yes."""
        client = self.judge_authorization(form)
        code = self.new_secret("code")
        self.codes[code] = Code(
            client.client_id,
            form["redirect_uri"],
            form["code_challenge"],
            form.get("scope", "tools"),
            form.get("resource", ""),
            random.token_hex(8),
        )
        honest: JsonObject = {"code": code, "state": form["state"], "iss": self.names["issuer"]}
        return self._changed(honest, self.toggles.redirect)

    def token(self, form: Mapping[str, str], authorization: str) -> Reply:
        """RFC 6749 sections 4.1.3, 4.4 and 6."""
        self.learn("verifier", form.get("code_verifier", ""))
        self.learn("assertion", form.get("client_assertion", ""))
        if self.toggles.echoes:
            raise Refusal("invalid_grant", f"what is {' '.join(form.values())} {authorization}?")
        client = self._authenticate(form, authorization)
        match form.get("grant_type"):
            case "authorization_code":
                return self._redeem(form, client)
            case "refresh_token":
                return self._refresh(form, client)
            case "client_credentials":
                if client.method == "none":
                    raise self._complain("unauthorized_client", "the client proves nothing")
                self._check_resource(form)
                scope, family = form.get("scope", "tools"), random.token_hex(8)
                token = Token("", client.client_id, scope, form.get("resource", ""), family)
                return 200, self._answer(token, refresh=False)
            case other:
                raise self._complain("unsupported_grant_type", repr(other))

    def revoke(self, form: Mapping[str, str], authorization: str) -> Reply:
        """RFC 7009."""
        self._authenticate(form, authorization)
        token = self.tokens.get(form.get("token", ""))
        if token is not None:
            self.end_family(token.family)
        return 200, {}

    def end_family(self, family: str) -> None:
        """Voids all that came of one consent."""
        self.tokens = {key: t for key, t in self.tokens.items() if t.family != family}

    def end_access(self) -> None:
        """Voids all access tokens, and leaves refresh tokens as they are."""
        self.tokens = {key: t for key, t in self.tokens.items() if t.kind != "access_token"}

    def access(self, token: str) -> Token | None:
        """What an access token is good for."""
        found = self.tokens.get(token)
        return found if found is not None and found.kind == "access_token" else None

    def _redeem(self, form: Mapping[str, str], client: Registered) -> Reply:
        text = form.get("code", "")
        if text in self.used_codes:
            self.end_family(self.used_codes[text])
            raise self._complain("invalid_grant", "the code was used before")
        code = self.codes.pop(text, None)
        if code is None:
            raise self._complain("invalid_grant", "unknown code")
        self.used_codes[text] = code.family
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != code.challenge:
            raise self._complain("invalid_grant", "the verifier does not fit")
        if (client.client_id, form.get("redirect_uri")) != (code.client_id, code.redirect_uri):
            raise self._complain("invalid_grant", "another client or redirect_uri")
        self._check_resource(form)
        if form.get("resource", "") != code.resource:
            raise self._complain("invalid_target", "another resource than was consented to")
        token = Token("", client.client_id, code.scope, code.resource, code.family)
        return 200, self._answer(token, refresh=self.toggles.refresh_tokens)

    def _refresh(self, form: Mapping[str, str], client: Registered) -> Reply:
        text = form.get("refresh_token", "")
        if text in self.retired:
            self.end_family(self.retired[text])
            raise self._complain("invalid_grant", "a rotated refresh token came back")
        old = self.tokens.get(text)
        if old is None or old.kind != "refresh_token" or old.client_id != client.client_id:
            raise Refusal("invalid_grant", "unknown refresh token")
        self._check_resource(form)
        if self.toggles.rotate:
            del self.tokens[text]
            self.retired[text] = old.family
        answer = self._answer(replace(old, kind=""), refresh=self.toggles.rotate)
        return 200, self._changed(answer, self.toggles.refreshed)

    def _answer(self, token: Token, *, refresh: bool) -> JsonObject:
        access = self.new_secret("access_token")
        self.tokens[access] = replace(token, kind="access_token")
        answer: JsonObject = {
            "access_token": access,
            "token_type": "Bearer",
            "expires_in": self.toggles.expires_in,
            "scope": token.scope,
        }
        if refresh:
            answer["refresh_token"] = text = self.new_secret("refresh_token")
            self.tokens[text] = replace(token, kind="refresh_token")
        if self.toggles.id_token:
            claims = {"sub": "ada", "jti": random.token_hex(8), "iss": self.names["issuer"]}
            answer["id_token"] = text = jwt.encode(claims, random.token_hex(32), "HS256")
            self.learn("id_token", text)
        return self._changed(answer, self.toggles.token)

    def _authenticate(self, form: Mapping[str, str], authorization: str) -> Registered:
        name, secret, method = form.get("client_id", ""), form.get("client_secret", ""), "none"
        if authorization.startswith("Basic "):
            pair = base64.b64decode(authorization.removeprefix("Basic ")).decode()
            name, secret = (unquote_plus(part) for part in pair.split(":", 1))
            method = "client_secret_basic"
        elif "client_assertion" in form:
            method = "private_key_jwt"
        elif secret:
            method = "client_secret_post"
        client = self.clients.get(name)
        if client is None and name.startswith("https://"):
            client = Registered(name)
        if client is None or method != client.method or secret != client.secret:
            raise self._complain("invalid_client", f"{method} is not how it is registered", 401)
        if client.public_key:
            self._verify(form.get("client_assertion", ""), client)
        return client

    def _verify(self, assertion: str, client: Registered) -> None:
        try:
            claims = jwt.decode(
                assertion,
                client.public_key,
                ["RS256", "ES256", "EdDSA"],
                audience=[self.names["issuer"], f"{self.names['origin']}/token"],
                issuer=client.client_id,
                options={"require": ["exp", "jti", "sub", "aud", "iss"]},
            )
        except jwt.PyJWTError as error:
            raise self._complain("invalid_client", type(error).__name__, 401) from None
        if claims["jti"] in self.assertions:
            raise self._complain("invalid_client", "the assertion was used before", 401)
        self.assertions.add(claims["jti"])

    def _check_resource(self, form: Mapping[str, str]) -> None:
        if self.toggles.any_resource and form.get("resource"):
            return
        wanted = self.names["resource"] if self.toggles.resource_required else ""
        if form.get("resource", "") not in {wanted, self.names["resource"]}:
            raise self._complain("invalid_target", "resource is not ours, or missing")

    def _complain(self, error: str, description: str, status: int = 400) -> Refusal:
        self.complaints.append(f"{error}: {description}")
        return Refusal(error, description, status)

    def _changed(self, document: JsonObject, changes: Mapping[str, Json]) -> JsonObject:
        done = filled(changed(document, changes), self.names)
        assert isinstance(done, dict)
        return done


def _good_redirect(uri: object) -> bool:
    parts = urlsplit(uri if isinstance(uri, str) else "")
    local = parts.hostname in {"127.0.0.1", "localhost", "::1"}
    return not parts.fragment and (parts.scheme == "https" or (parts.scheme == "http" and local))
