"""What the user chose for a server, and what came of it."""

from inspector.auth.grant import LATEST_RULES, Profile
from inspector.auth.metadata import CODE_GRANT
from inspector.auth.secret import Secret
from inspector.protocol.json_text import JsonObject
from inspector.protocol.versions import Revision
from tests.auth.playbook import SERVER, Play


def test_a_profile_without_choices_is_strict_and_asks_for_consent() -> None:
    profile = Profile(SERVER)
    assert profile.grant == CODE_GRANT
    assert profile.revision is LATEST_RULES
    assert LATEST_RULES >= Revision.V2025_11_25  # refuses servers that do not say S256
    assert not profile.private_allowed
    assert not profile.allowances.missing_pkce_metadata


def test_a_profile_does_not_show_what_signs() -> None:
    class Key:
        def __call__(self, claims: JsonObject) -> Secret:
            return Secret(str(claims))

        def __repr__(self) -> str:
            return "private-key-canary"

    assert "canary" not in repr(Profile(SERVER, sign=Key()))


def test_a_grant_says_whose_it_is_and_shows_no_token() -> None:
    grant = Play().grant()
    assert grant.server_url == SERVER
    assert grant.tokens.access.reveal() not in repr(grant)
    assert grant.server.issuer in repr(grant)
