"""The probes that a correct server refuses, against one that does and others that do not."""

import asyncio
from collections.abc import Collection

import pytest

from inspector.active_lint import ASIDE, NOWHERE, ActiveLint
from inspector.config.targets import Target
from inspector.errors import InspectorError
from inspector.journal.facts import ASIDE as ASIDE_FACT
from inspector.journal.facts import decode_facts
from inspector.journal.journal import Journal
from inspector.lint.engine import lint
from inspector.workbench import Options, Workbench
from tests.servers import real
from tests.servers.checking_http import checking_http

QUIET = Options(no_record=True, protocol="2025-11-25")


async def probed(target: Target, told: list[str] | None = None) -> Journal:
    """The journal after a session and all probes."""
    words: list[str] = [] if told is None else told
    async with Workbench(target, options=QUIET) as bench, asyncio.timeout(100):
        await bench.connect()
        await ActiveLint(bench, words.append).run()
        assert bench.session.state.ready, "the session beside is left alone"
        await bench.disconnect()
        lint(bench.journal)
        return bench.journal


def rules(journal: Journal) -> set[str]:
    return {one.rule for one in lint(journal)}


async def test_of_a_server_that_checks_everything_nothing_is_told() -> None:
    told: list[str] = []
    async with checking_http() as peer:
        journal = await probed(Target(url=peer.url, transport="http"), told)
    assert rules(journal) <= {"rpc/error-id-missing"}
    assert any("tools/call of a tool that does not exist" in words for words in told)


@pytest.mark.parametrize(
    ("careless", "broken"),
    [
        ({"cursor"}, {"page/bad-cursor-code"}),
        ({"names"}, {"tool/unknown-as-result", "res/not-found-code", "prompt/missing-arg-code"}),
        ({"origin"}, {"http/origin-unchecked"}),
        ({"version"}, {"http/version-header-ignored"}),
        ({"session"}, {"http/missing-session-not-400"}),
        ({"unknown"}, {"http/session-unknown-not-404"}),
    ],
)
async def test_each_carelessness_is_told_and_no_other(
    careless: Collection[str], broken: set[str]
) -> None:
    async with checking_http(careless) as peer:
        journal = await probed(Target(url=peer.url, transport="http"))
    assert rules(journal) - {"rpc/error-id-missing"} == broken


async def test_nothing_that_exists_is_called_but_a_prompt_that_cannot_work() -> None:
    async with checking_http() as peer:
        await probed(Target(url=peer.url, transport="http"))
        assert peer.called == [f"{NOWHERE}-tool", f"{NOWHERE}://resource", "review"]


async def test_the_probes_stand_in_sections_of_their_own() -> None:
    async with checking_http() as peer:
        journal = await probed(Target(url=peer.url, transport="http"))
    begins = [
        decode_facts(journal.body(number))
        for number in range(1, len(journal) + 1)
        if journal.row(number).method == "connection"
    ]
    tags = [str(facts.get(ASIDE_FACT, "")) for facts in begins]
    assert tags[0] == ""
    assert len(tags) == 3
    assert all(tag.startswith(ASIDE) for tag in tags[1:])


async def test_a_server_on_stdio_is_probed_without_http() -> None:
    journal = await probed(real.demo())
    found = rules(journal)
    assert "page/bad-cursor-code" in found
    assert not [name for name in found if name.startswith("http/")]


async def test_a_server_that_takes_no_second_session_is_told() -> None:
    async with (
        checking_http() as peer,
        Workbench(Target(url=peer.url, transport="http"), options=QUIET) as bench,
    ):
        await bench.connect()
        peer.answer = lambda *_: (503, None)  # type: ignore[method-assign]
        with pytest.raises(InspectorError):
            await ActiveLint(bench, lambda _: None).run()
