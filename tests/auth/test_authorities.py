"""One authority per server URL, and none where there is nothing to authorize."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from inspector.auth.authorities import Authorities
from inspector.config.oauth import OAuthChoice
from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, UsageError
from inspector.journal.journal import Journal
from inspector.protocol.versions import Revision

HERE = Target(url="http://127.0.0.1:1/mcp")


@pytest.fixture
async def authorities() -> AsyncIterator[Authorities]:
    async with asyncio.TaskGroup() as group:
        made = Authorities(Journal(), group.create_task, lambda: None)
        yield made
        await made.close()


async def test_a_command_and_a_token_of_the_users_own_have_none(authorities: Authorities) -> None:
    assert authorities.get(Target(("server",))) is None
    own = Target(url=HERE.url, headers=(("AUTHORIZATION", "Bearer x"),))
    assert authorities.get(own) is None


async def test_the_same_target_has_the_same_one(authorities: Authorities) -> None:
    one = authorities.get(HERE)
    assert one is not None
    assert authorities.get(Target(url=HERE.url, name="again")) is one
    assert authorities.get(Target(url="http://127.0.0.1:2/mcp")) is not one
    assert authorities.get(Target(url=HERE.url, oauth=OAuthChoice(client_id="mine"))) is not one
    assert authorities.get(HERE, Revision.V2025_03_26) is not one


async def test_whoever_has_none_gets_no_tokens_either(authorities: Authorities) -> None:
    assert authorities.tokens(Target(("server",))) is None
    assert authorities.tokens(Target(url=HERE.url, headers=(("Authorization", "x"),))) is None
    with pytest.raises(UsageError):
        authorities.tokens(Target(url=HERE.url, oauth=OAuthChoice(client_credentials=True)))


async def test_choices_that_make_no_sense_are_refused(authorities: Authorities) -> None:
    with pytest.raises(UsageError):
        authorities.get(Target(url=HERE.url, oauth=OAuthChoice(client_credentials=True)))


async def test_nobody_is_asked_where_nobody_is_named(authorities: Authorities) -> None:
    authority = authorities.get(HERE)
    assert authority is not None
    with pytest.raises(ConnectionFailed, match="nobody can be asked"):
        await authority.login()
