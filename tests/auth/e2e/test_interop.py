"""Authorization servers that other people wrote, before a whole workbench: npm's oidc-provider and
the official SDK's."""

import asyncio
from pathlib import Path

import pytest

from tests.auth.e2e.scripted_person import Person
from tests.auth.e2e.visit import Visit
from tests.servers.guarded_server import guarded_by_itself
from tests.servers.oidc_provider import oidc_guarded

SOON = 20
"""Seconds: so short a life counts as over on our side at once, and not yet on the server's."""


@pytest.mark.parametrize("protocol", ["handshake", "modern"])
async def test_oidc_provider_in_both_eras(protocol: str, tmp_path: Path) -> None:
    person = Person()
    with oidc_guarded() as guard:
        async with Visit(guard.url, tmp_path, person, protocol=protocol) as visit:
            assert visit.error == ""
            assert await visit.call() == "5"
            facts = dict(visit.authority.state.facts)
        async with Visit(guard.url, tmp_path, Person(), protocol=protocol) as again:
            assert await again.call() == "5"
    assert facts["issuer"] == guard.issuer
    assert facts["token type"] == "Bearer, JWT"
    assert facts["token refresh token"] == "yes"
    assert len(person.urls) == 1
    assert len(set(guard.tokens)) == 1


async def test_oidc_provider_rotates_and_parallel_calls_share_one_token(tmp_path: Path) -> None:
    with oidc_guarded(seconds=SOON) as guard:
        async with Visit(guard.url, tmp_path, Person()) as visit:
            results = await asyncio.gather(*(visit.call(a=i, b=i) for i in range(5)))
            grant = visit.store.grant(guard.url)
        assert results == ["0", "2", "4", "6", "8"]
        assert grant is not None
        async with Visit(guard.url, tmp_path, Person()) as again:
            assert await again.call() == "5"
            later = again.store.grant(guard.url)
    assert later is not None
    assert later.tokens.refresh != grant.tokens.refresh


@pytest.mark.parametrize("allows", [True, False])
async def test_the_sdk_puts_a_slash_behind_an_issuer_that_has_none(
    allows: bool, tmp_path: Path
) -> None:
    """Known between these two: explained, and allowed once where the person says so."""
    person = Person(allows_issuer=allows)
    with oidc_guarded(slash=True) as guard:
        async with Visit(guard.url, tmp_path, person) as visit:
            if allows:
                assert await visit.call() == "5"
            else:
                assert "slash at the end" in visit.error
    assert person.asked == ["issuer"]
    assert len(person.urls) == int(allows)


async def test_the_sdk_s_own_server_refreshes_and_revokes(tmp_path: Path) -> None:
    with guarded_by_itself(seconds=SOON) as guard:
        assert guard.provider is not None
        async with Visit(guard.url, tmp_path, Person()) as visit:
            assert await visit.call() == "5"
            said = await visit.authority.logout()
        assert "refresh token: revoked" in said
        assert guard.provider.access == {}
        assert len(guard.provider.clients) == 1
        assert visit.store.grant(guard.url) is None
