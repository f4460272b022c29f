"""What can be wrong before anybody is asked for consent: the two metadata documents."""

from inspector.protocol.json_text import Json
from tests.auth.e2e.cases import Case
from tests.servers.auth_toggles import (
    LEFT_OUT,
    Canned,
    Toggles,
    canned_html,
    canned_json,
    canned_redirect,
)

BIG = Canned(200, b'{"filler": "' + b"x" * 1_100_000 + b'"}')
ENDLESS = Canned(200, b"x" * 65536, endless=True)
NOT_USED = "(is|are) not used|cannot be used"


def resource(value: Json) -> Toggles:
    return Toggles(prm={"resource": value})


def servers(*values: str) -> Toggles:
    return Toggles(prm={"authorization_servers": list(values)})


def answering(endpoint: str, *answers: Canned | None) -> Toggles:
    return Toggles(canned={endpoint: answers})


def metadata(**changes: Json) -> Toggles:
    return Toggles(metadata=changes)


def named(url: str) -> Toggles:
    """The challenge names `url` for the metadata, and nothing lies at the well-known places."""
    return Toggles(challenge=(f'Bearer resource_metadata="{url}"',), prm_places=())


ABOUT = "the metadata is about .*, not about"
RESOURCE_CASES = [
    Case("resource elsewhere", resource("https://elsewhere.example/mcp"), ABOUT, "metadata"),
    Case("resource on another port", resource("http://127.0.0.1:1/mcp"), ABOUT, "metadata"),
    Case("resource is a sibling", resource("{origin}/mcp2"), ABOUT, "metadata"),
    Case("resource is a beginning", resource("{origin}/mc"), ABOUT, "metadata"),
    Case("resource is below", resource("{resource}/deeper"), ABOUT, "metadata"),
    Case("resource has a user", resource("http://a:b@127.0.0.1/mcp"), ABOUT, "metadata"),
    Case("resource has a fragment", resource("{resource}#x"), ABOUT, "metadata"),
    Case("resource is left out", resource(LEFT_OUT), "has no resource", "metadata"),
    Case("resource is a number", resource(7), "has no resource", "metadata"),
    Case(
        "no resource metadata",
        Toggles(prm_places=(), challenge=("Bearer",)),
        "no protected resource metadata at .*oauth-protected-resource",
        "metadata",
    ),
    Case(
        "resource metadata is a page",
        answering("prm", canned_html()),
        "no protected resource metadata",
        "metadata",
    ),
    Case(
        "resource metadata is a list",
        answering("prm", canned_json([{"resource": "{resource}"}])),
        "no protected resource metadata",
        "metadata",
    ),
    Case("resource metadata 500", answering("prm", Canned(500)), "HTTP 500", "metadata"),
    Case("resource metadata 429", answering("prm", Canned(429)), "HTTP 429", "metadata"),
    Case(
        "resource metadata is redirected",
        answering("prm", canned_redirect("{other}/prm.json")),
        "no protected resource metadata",
        "metadata",
    ),
    Case("resource metadata is huge", answering("prm", BIG), "longer than", "metadata"),
    Case("resource metadata never ends", answering("prm", ENDLESS), "longer than", "metadata"),
    Case("no server named", servers(), "names no authorization server", "metadata"),
    Case("server is a script", servers("javascript:alert(1)"), "no authorization", "metadata"),
    Case("server is a file", servers("file:///etc/passwd"), "no authorization", "metadata"),
    Case("server without TLS", servers("http://as.example"), "no authorization", "metadata"),
    Case("server has a user", servers("https://a@as.example"), "no authorization", "metadata"),
    Case("server has a query", servers("{issuer}?a=b"), "no authorization", "metadata"),
    Case("server has a fragment", servers("{issuer}#b"), "no authorization", "metadata"),
    Case(
        "several servers and no choice", servers("{issuer}", "{other}"), "no .*chosen", "metadata"
    ),
    Case("metadata named in a script", named("javascript:alert(1)"), NOT_USED, "metadata"),
    Case("metadata named without TLS", named("http://as.example/x"), NOT_USED, "metadata"),
    Case("metadata named with a user", named("http://a:b@127.0.0.1:1/x"), NOT_USED, "metadata"),
    Case("metadata of another server", named("{other}/prm.json"), ABOUT, "metadata"),
]

PKCE = "does not offer PKCE with S256"
SERVER_CASES = [
    Case("issuer is left out", metadata(issuer=LEFT_OUT), "has no issuer", "register"),
    Case("issuer is another", metadata(issuer="https://evil.example"), "its issuer", "register"),
    Case("issuer is a script", metadata(issuer="javascript:x"), NOT_USED, "register"),
    Case("issuer has a slash more", metadata(issuer="{issuer}/"), "slash at the end", "register"),
    Case("issuer in capitals", metadata(issuer="HTTP://127.0.0.1:1"), "issuer", "register"),
    Case("no server metadata", Toggles(metadata_places=()), "has no metadata at", "register"),
    Case(
        "server metadata is a page",
        answering("metadata", canned_html()),
        "has no metadata at",
        "register",
    ),
    Case("server metadata 500", answering("metadata", Canned(500)), "HTTP 500", "register"),
    Case(
        "server metadata is redirected",
        answering("metadata", canned_redirect("{other}/.well-known/oauth-authorization-server")),
        "has no metadata at",
        "register",
    ),
    Case("server metadata is huge", answering("metadata", BIG), "longer than", "register"),
    Case(
        "PKCE is not mentioned",
        metadata(code_challenge_methods_supported=LEFT_OUT),
        "does not say whether .* PKCE",
        "register",
    ),
    Case(
        "PKCE is plain only", metadata(code_challenge_methods_supported=["plain"]), PKCE, "register"
    ),
    Case("PKCE is empty", metadata(code_challenge_methods_supported=[]), PKCE, "register"),
    Case("PKCE is a text", metadata(code_challenge_methods_supported="S256"), PKCE, "register"),
    Case("PKCE is null", metadata(code_challenge_methods_supported=None), PKCE, "register"),
    Case(
        "PKCE in other letters",
        metadata(code_challenge_methods_supported=["s256"]),
        PKCE,
        "register",
    ),
    Case(
        "no codes are given",
        metadata(response_types_supported=["token"]),
        "no authorization codes",
        "register",
    ),
    *(
        Case(f"{name} {what}", Toggles(metadata={f"{name}_endpoint": url}), says, "register")
        for name in ("authorization", "token", "registration", "revocation")
        for what, url, says in (
            (
                "is a script",
                "javascript:alert(document.cookie)",
                f"{name}_endpoint .*cannot be used",
            ),
            ("without TLS", "http://as.example/x", f"{name}_endpoint .*not on this machine"),
            ("has a user", "https://a:b@as.example/x", f"{name}_endpoint .*user name"),
            ("has a fragment", "{origin}/x#y", f"{name}_endpoint .*fragment"),
            ("is a number", 7, f"{name}_endpoint .*cannot be used"),
        )
        if name in ("authorization", "token") or what in ("is a script", "without TLS")
    ),
    *(
        Case(
            f"{name} is left out",
            Toggles(metadata={f"{name}_endpoint": LEFT_OUT}),
            f"has no {name}_endpoint",
            "register",
        )
        for name in ("authorization", "token")
    ),
    Case(
        "token is data", metadata(token_endpoint="data:application/json,{}"), NOT_USED, "register"
    ),
    Case(
        "authorization has a tab",
        metadata(authorization_endpoint="{origin}/a\tb"),
        NOT_USED,
        "register",
    ),
    Case(
        "authorization has a backslash",
        metadata(authorization_endpoint="{origin}\\@evil.example"),
        NOT_USED,
        "register",
    ),
    Case(
        "authorization is an option",
        metadata(authorization_endpoint="--help"),
        NOT_USED,
        "register",
    ),
]
