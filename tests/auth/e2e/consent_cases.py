"""What can be wrong from registration to token."""

from inspector.auth.registration import AuthMethod, Client, ClientOrigin
from inspector.auth.secret import Secret
from inspector.protocol.json_text import Json
from tests.auth.e2e.cases import Case
from tests.auth.e2e.discovery_cases import BIG, ENDLESS, answering
from tests.servers.auth_toggles import (
    LEFT_OUT,
    Canned,
    Toggles,
    canned_html,
    canned_json,
    canned_redirect,
)


def registered(**changes: Json) -> Toggles:
    return Toggles(registration=changes)


def redirect(**changes: Json) -> Toggles:
    return Toggles(redirect=changes)


def token(**changes: Json) -> Toggles:
    return Toggles(token=changes)


NOT_REGISTERED = "did not register us"
SECRETS_ONLY: Json = ["client_secret_basic"]
SOMEBODY = Client(
    "somebody",
    ClientOrigin.PREREGISTERED,
    AuthMethod.BASIC,
    Secret("canary-of-another-server"),
    issuer="https://another.example",
)
CLIENT_CASES = [
    Case(
        "registration is refused",
        answering("register", canned_json({"error": "invalid_redirect_uri"}, 400)),
        f"{NOT_REGISTERED}.*invalid_redirect_uri",
        "authorize",
    ),
    Case("registration 403", answering("register", Canned(403)), NOT_REGISTERED, "authorize"),
    Case("registration 500", answering("register", Canned(500)), "HTTP 500", "authorize"),
    Case(
        "registration is a page",
        answering("register", canned_html(201)),
        NOT_REGISTERED,
        "authorize",
    ),
    Case("registration is huge", answering("register", BIG), "longer than", "authorize"),
    Case(
        "registration is redirected",
        answering("register", canned_redirect("{other}/register", 307)),
        f"{NOT_REGISTERED}.*307",
        "authorize",
    ),
    Case("client id is left out", registered(client_id=LEFT_OUT), "no client_id", "authorize"),
    Case("client id not ASCII", registered(client_id="clïent"), "no client_id", "authorize"),
    Case("client id of two lines", registered(client_id="a\r\nb"), "no client_id", "authorize"),
    Case(
        "secret expired before use",
        registered(client_secret="canary-expired-1", client_secret_expires_at=1),
        "expired before its first use",
        "authorize",
    ),
    Case(
        "registered to prove with a key",
        registered(token_endpoint_auth_method="private_key_jwt"),
        "cannot prove",
        "authorize",
    ),
    Case(
        "nobody names a client",
        Toggles(metadata={"registration_endpoint": LEFT_OUT}),
        "client",
        "register",
    ),
    Case(
        "client of another server",
        Toggles(),
        "belongs to .*another.example",
        "register",
        {"client": SOMEBODY},
    ),
]

NOBODY = "nobody came back"
CONSENT_CASES = [
    Case("state is another", redirect(state="x" * 43), NOBODY, "token"),
    Case("state is left out", redirect(state=LEFT_OUT), NOBODY, "token"),
    Case("state is empty", redirect(state=""), NOBODY, "token"),
    Case("iss is left out", redirect(iss=LEFT_OUT), "does not say who issued it", "token"),
    Case("iss is another", redirect(iss="https://evil.example"), "issued by another", "token"),
    Case("iss has a slash more", redirect(iss="{issuer}/"), "issued by another", "token"),
    Case("iss is empty", redirect(iss=""), "issued by another", "token"),
    Case(
        "iss is there twice",
        redirect(iss=["{issuer}", "{issuer}"]),
        "more than one issuer",
        "token",
    ),
    Case(
        "iss nobody promised is another",
        Toggles(
            metadata={"authorization_response_iss_parameter_supported": LEFT_OUT},
            redirect={"iss": "https://evil.example"},
        ),
        "issued by another",
        "token",
    ),
    Case(
        "the person says no",
        redirect(code=LEFT_OUT, error="access_denied", error_description="Not today"),
        "access_denied.*Not today",
        "token",
    ),
    Case("server error", redirect(code=LEFT_OUT, error="server_error"), "server_error", "token"),
    Case(
        "error of another server",
        redirect(code=LEFT_OUT, error="canary_error", iss="https://evil.example"),
        "^(?!.*canary_error).*issued by another",
        "token",
    ),
    Case("code is left out", redirect(code=LEFT_OUT), "neither a code nor an error", "token"),
    Case("code is empty", redirect(code=""), "neither a code nor an error", "token"),
    Case(
        "code is there twice", redirect(code=["a-code", "b-code"]), "more than one thing", "token"
    ),
    Case("code and error", redirect(error="access_denied"), "more than one thing", "token"),
    Case("the page is an error", answering("authorize", Canned(500)), NOBODY, "token"),
]

NO_TOKEN = "gave no token"
TOKEN_CASES = [
    Case("token of another type", token(token_type="mac"), "type 'mac', not Bearer"),
    Case("token without a type", token(token_type=LEFT_OUT), "not Bearer"),
    Case("token not ASCII", token(access_token="canary-tökén"), "cannot stand in a header"),
    Case("token of two lines", token(access_token="canary-a\r\nX-Evil: 1"), "in a header"),
    Case("token with a space", token(access_token="canary a"), "cannot stand in a header"),
    Case("token is empty", token(access_token=""), "no access_token"),
    Case("access token is left out", token(access_token=LEFT_OUT), "no access_token"),
    Case("access token is a number", token(access_token=4711), "no access_token"),
    Case(
        "code is refused",
        answering("token", canned_json({"error": "invalid_grant"}, 400)),
        f"{NO_TOKEN}.*invalid_grant",
    ),
    Case(
        "client is refused",
        answering("token", canned_json({"error": "invalid_client"}, 401)),
        f"{NO_TOKEN}.*invalid_client",
        consents=2,
    ),
    Case(
        "an error with status 200",
        answering("token", canned_json({"error": "invalid_scope"})),
        f"{NO_TOKEN}.*invalid_scope",
    ),
    Case("token endpoint 500", answering("token", Canned(500)), "HTTP 500"),
    Case("token endpoint 503", answering("token", canned_html(503)), "HTTP 503"),
    Case("token is a page", answering("token", canned_html()), f"{NO_TOKEN}.*no JSON"),
    Case("token is a list", answering("token", canned_json(["t"])), f"{NO_TOKEN}.*no JSON object"),
    Case("token is huge", answering("token", BIG), "longer than"),
    Case("token never ends", answering("token", ENDLESS), "longer than"),
    Case(
        "token endpoint is redirected",
        answering("token", canned_redirect("{other}/token", 307)),
        f"{NO_TOKEN}.*307",
    ),
    Case(
        "token endpoint is redirected, as a GET",
        answering("token", canned_redirect("{other}/token", 303)),
        f"{NO_TOKEN}.*303",
    ),
]
