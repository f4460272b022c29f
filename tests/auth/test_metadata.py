"""Both metadata documents: what is used, what is refused, and what is only said."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth.metadata import (
    CLIENT_CREDENTIALS_GRANT,
    CODE_GRANT,
    NO_ALLOWANCES,
    Allowances,
    AuthorizationServer,
    ProtectedResource,
    read_authorization_server,
    read_protected_resource,
    slash_only,
)
from inspector.auth.policy import perimeter
from inspector.auth.remarks import Judged, Weight
from inspector.protocol.json_text import Json
from inspector.protocol.versions import REVISIONS, Revision

B, C, D, E = REVISIONS[1:]
URL = "https://mcp.example.com/mcp"
ISSUER = "https://auth.example.com"
WITHIN = perimeter(URL)
ABSENT = object()


def _body(document: dict[str, object], changes: dict[str, object]) -> bytes:
    merged = {**document, **changes}
    return json.dumps({k: v for k, v in merged.items() if v is not ABSENT}).encode()


def _resource(**changes: object) -> Judged[ProtectedResource]:
    document: dict[str, object] = {"resource": URL, "authorization_servers": [ISSUER]}
    return read_protected_resource(_body(document, changes), server_url=URL, within=WITHIN)


def _changed_server(
    changes: dict[str, object],
    revision: Revision = E,
    allowances: Allowances = NO_ALLOWANCES,
    grant: str = CODE_GRANT,
    asked_for: str = ISSUER,
) -> Judged[AuthorizationServer]:
    document: dict[str, object] = {
        "issuer": asked_for,
        "authorization_endpoint": f"{ISSUER}/authorize?tenant=a",
        "token_endpoint": f"{ISSUER}/token",
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["plain", "S256"],
    }
    return read_authorization_server(
        _body(document, changes),
        issuer=asked_for,
        within=WITHIN,
        revision=revision,
        grant=grant,
        allowances=allowances,
    )


def _server(**changes: object) -> Judged[AuthorizationServer]:
    return _changed_server(changes)


def _rules(judged: Judged[AuthorizationServer] | Judged[ProtectedResource]) -> list[str]:
    return [f"{remark.weight.value} {remark.rule}" for remark in judged.remarks]


def test_resource_metadata_that_keeps_the_rules_is_used_without_a_word() -> None:
    judged = _resource(scopes_supported=["a", "b"], resource_name="N")
    assert judged.remarks == ()
    assert judged.usable == ProtectedResource(URL, (ISSUER,), ("a", "b"), "N")


def test_no_scopes_and_an_empty_list_of_scopes_are_told_apart() -> None:
    none, empty = _resource().usable, _resource(scopes_supported=[]).usable
    assert none is not None
    assert empty is not None
    assert (none.scopes_supported, empty.scopes_supported) == (None, ())


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"resource": "https://evil.example.com/mcp"}, "refusal resource-differs"),
        ({"resource": ABSENT}, "refusal resource-missing"),
        ({"resource": 7}, "refusal resource-missing"),
        ({"authorization_servers": ABSENT}, "refusal no-authorization-server"),
        ({"authorization_servers": []}, "refusal no-authorization-server"),
        ({"authorization_servers": ISSUER}, "refusal no-authorization-server"),
        ({"authorization_servers": ["http://10.0.0.5"]}, "refusal no-authorization-server"),
    ],
)
def test_resource_metadata_that_breaks_a_rule_is_not_used(
    changes: dict[str, object], rule: str
) -> None:
    judged = _resource(**changes)
    assert judged.usable is None
    assert rule in _rules(judged)


def test_a_resource_above_ours_is_used_and_said() -> None:
    judged = _resource(resource="https://mcp.example.com")
    assert judged.usable is not None
    assert _rules(judged) == ["note resource-parent"]


def test_authorization_servers_that_may_not_be_used_are_left_out() -> None:
    judged = _resource(
        authorization_servers=["https://169.254.169.254/", ISSUER, f"{ISSUER}?x", ISSUER]
    )
    assert judged.usable is not None
    assert judged.usable.authorization_servers == (ISSUER,)
    assert _rules(judged) == ["warning issuer-refused"] * 2


def test_a_server_that_takes_no_token_in_the_header_is_warned_about() -> None:
    assert _rules(_resource(bearer_methods_supported=["body"])) == ["warning no-header-method"]
    assert _rules(_resource(bearer_methods_supported=["header"])) == []


def test_server_metadata_that_keeps_the_rules_is_used_without_a_word() -> None:
    judged = _server(
        registration_endpoint=f"{ISSUER}/register",
        scopes_supported=["a"],
        grant_types_supported=["authorization_code"],
        token_endpoint_auth_methods_supported=["none"],
        authorization_response_iss_parameter_supported=True,
        client_id_metadata_document_supported=True,
    )
    assert judged.remarks == ()
    assert judged.usable == AuthorizationServer(
        issuer=ISSUER,
        authorization_endpoint=f"{ISSUER}/authorize?tenant=a",
        token_endpoint=f"{ISSUER}/token",
        registration_endpoint=f"{ISSUER}/register",
        scopes_supported=("a",),
        grant_types=("authorization_code",),
        auth_methods=("none",),
        code_challenge_methods=("plain", "S256"),
        iss_advertised=True,
        metadata_documents=True,
    )


@pytest.mark.parametrize("value", ["true", 1, None, [], False])
def test_only_a_true_advertises_something(value: Json) -> None:
    server = _server(
        authorization_response_iss_parameter_supported=value,
        client_id_metadata_document_supported=value,
    ).usable
    assert server is not None
    assert not server.iss_advertised
    assert not server.metadata_documents


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"issuer": ABSENT}, "issuer-missing"),
        ({"issuer": "https://evil.example.com"}, "issuer-differs"),
        ({"issuer": "https://AUTH.example.com"}, "issuer-differs"),
        ({"issuer": f"{ISSUER}:443"}, "issuer-differs"),
        ({"issuer": f"{ISSUER}?x"}, "issuer-refused"),
        ({"authorization_endpoint": ABSENT}, "endpoint-missing"),
        ({"token_endpoint": None}, "endpoint-missing"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "endpoint-refused"),
        ({"token_endpoint": "https://10.0.0.5/token"}, "endpoint-refused"),
        ({"token_endpoint": ["x"]}, "endpoint-refused"),
        ({"registration_endpoint": "http://169.254.169.254/"}, "endpoint-refused"),
        ({"revocation_endpoint": "file:///x"}, "endpoint-refused"),
        ({"response_types_supported": ["token"]}, "code-not-offered"),
        ({"code_challenge_methods_supported": ["plain"]}, "pkce-not-offered"),
        ({"code_challenge_methods_supported": "S256"}, "pkce-not-offered"),
        ({"code_challenge_methods_supported": []}, "pkce-not-offered"),
    ],
)
@pytest.mark.parametrize("revision", [B, C, D, E])
def test_server_metadata_that_breaks_a_rule_is_not_used(
    changes: dict[str, object], rule: str, revision: Revision
) -> None:
    judged = _changed_server(changes, revision)
    assert judged.document is not None
    assert judged.usable is None
    assert f"refusal {rule}" in _rules(judged)


@pytest.mark.parametrize(
    ("named", "expected"),
    [(f"{ISSUER}/", ISSUER), (ISSUER, f"{ISSUER}/"), (f"{ISSUER}/t/", f"{ISSUER}/t")],
)
def test_a_slash_at_the_end_of_the_issuer_is_explained(named: str, expected: str) -> None:
    assert _changed_server({}, asked_for=expected).usable is not None
    body = _body({"issuer": named}, {})
    judged = read_authorization_server(body, issuer=expected, within=WITHIN, revision=E)
    (message,) = [r.message for r in judged.remarks if r.rule == "issuer-differs"]
    assert "only in the slash at the end" in message
    assert repr(named) in message


def test_only_a_slash_is_offered_an_allowance() -> None:
    def judged(named: str, endpoint: str) -> bool:
        body = {
            "issuer": named,
            "authorization_endpoint": f"{ISSUER}/a",
            "token_endpoint": endpoint,
            "code_challenge_methods_supported": ["S256"],
        }
        found = read_authorization_server(
            _body(dict(body), {}), issuer=ISSUER, within=WITHIN, revision=E
        )
        return slash_only(found, ISSUER)

    assert judged(f"{ISSUER}/", f"{ISSUER}/token")
    assert not judged(f"{ISSUER}/", "javascript:x")
    assert not judged("https://evil.example", f"{ISSUER}/token")
    assert not judged(ISSUER, f"{ISSUER}/token")


def test_the_user_allows_one_other_issuer_letter_for_letter() -> None:
    body = {"issuer": f"{ISSUER}/", "token_endpoint": f"{ISSUER}/token"}

    def rules(allowed: str) -> list[str]:
        found = read_authorization_server(
            _body(dict(body), {}),
            issuer=ISSUER,
            within=WITHIN,
            revision=E,
            grant=CLIENT_CREDENTIALS_GRANT,
            allowances=Allowances(issuer=allowed),
        )
        return _rules(found)

    assert rules(f"{ISSUER}/") == ["warning issuer-differs"]
    assert rules(f"{ISSUER}//") == ["refusal issuer-differs"]


@pytest.mark.parametrize(
    ("revision", "weight"),
    [(B, Weight.WARNING), (C, Weight.WARNING), (D, Weight.REFUSAL), (E, Weight.REFUSAL)],
)
def test_metadata_silent_about_pkce_is_refused_from_2025_11_25_on(
    revision: Revision, weight: Weight
) -> None:
    judged = _changed_server({"code_challenge_methods_supported": ABSENT}, revision)
    (remark,) = judged.remarks
    assert (remark.rule, remark.weight) == ("pkce-unknown", weight)


def test_silence_about_pkce_can_be_allowed_and_a_downgrade_cannot() -> None:
    allowances = Allowances(missing_pkce_metadata=True)
    silent = _changed_server({"code_challenge_methods_supported": ABSENT}, E, allowances)
    assert silent.usable is not None
    assert _rules(silent) == ["warning pkce-unknown"]
    plain = _changed_server({"code_challenge_methods_supported": ["plain"]}, E, allowances)
    assert plain.usable is None


def test_client_credentials_need_no_authorization_endpoint_and_no_pkce() -> None:
    changes: dict[str, object] = {
        "authorization_endpoint": ABSENT,
        "code_challenge_methods_supported": ABSENT,
        "response_types_supported": ["token"],
    }
    judged = _changed_server(changes, grant=CLIENT_CREDENTIALS_GRANT)
    assert judged.remarks == ()
    assert judged.usable is not None


def test_a_grant_that_is_not_offered_is_warned_about() -> None:
    assert _rules(_server(grant_types_supported=["x"])) == ["warning grant-not-offered"]


def test_a_list_of_another_type_is_ignored_and_said() -> None:
    judged = _server(scopes_supported="a b", grant_types_supported=[1])
    assert _rules(judged) == ["warning no-list", "warning no-list"]
    assert judged.usable is not None
    assert judged.usable.scopes_supported is None


@pytest.mark.parametrize("body", [b"", b"<!doctype html>", b"[]", b"\xff", b'{"a":' * 2000])
def test_what_is_no_object_is_no_document(body: bytes) -> None:
    server = read_authorization_server(body, issuer=ISSUER, within=WITHIN, revision=E)
    resource = read_protected_resource(body, server_url=URL, within=WITHIN)
    assert (server.document, resource.document) == (None, None)
    assert _rules(server) == _rules(resource) == ["refusal metadata-unreadable"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None), max_size=20),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)
NAMES = (
    "issuer", "resource", "authorization_servers", "token_endpoint", "authorization_endpoint",
    "scopes_supported", "code_challenge_methods_supported", "response_types_supported",
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(NAMES), JSON))
def test_no_document_raises_and_every_remark_has_a_source(document: dict[str, Json]) -> None:
    body = json.dumps(document).encode()
    server = read_authorization_server(body, issuer=ISSUER, within=WITHIN, revision=E)
    resource = read_protected_resource(body, server_url=URL, within=WITHIN)
    assert server.usable is None
    assert resource.usable is None
    remarks = (*server.remarks, *resource.remarks)
    assert all(remark.source and remark.message.isascii() for remark in remarks)


def test_a_huge_value_does_not_make_a_huge_message() -> None:
    judged = _server(issuer="https://x.example", token_endpoint="x" * 1_000_000)
    assert max(len(remark.message) for remark in judged.remarks) < 1000
