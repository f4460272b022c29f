"""What is shown of a grant."""

from dataclasses import replace

from inspector.auth.situation import AuthState, facts_of
from tests.auth.grants import ISSUER, NOW, SERVER, a_grant


def test_the_facts_of_a_grant_hold_no_secret() -> None:
    facts = dict(facts_of(a_grant(), NOW, place="the keyring"))
    assert facts["issuer"] == ISSUER
    assert facts["client"] == "client-1 (registered dynamically, client_secret_post)"
    assert facts["resource"] == SERVER
    assert facts["scopes requested"] == "read"
    assert facts["token expires"] == "in 60 s"
    assert facts["kept in"] == "the keyring"
    for secret in ("acc3ss", "refr3sh", "client-s3cret"):
        assert secret not in str(facts)


def test_what_was_not_asked_for_is_said_so() -> None:
    facts = dict(facts_of(replace(a_grant(), resource=None, requested=None), NOW, place="x"))
    assert facts["resource"] == "none is sent"
    assert facts["scopes requested"] == "none"


def test_at_first_there_is_nothing() -> None:
    assert AuthState() == AuthState("none", (), "", (), None, "")
