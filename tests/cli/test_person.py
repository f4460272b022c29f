"""The person at the terminal, and what stands in where there is none (also: test_login)."""

import sys
from pathlib import Path

import pytest

from inspector.auth.callback import LoopbackConsent
from inspector.auth.paste import PasteConsent
from inspector.auth.scopes import StepUp
from inspector.cli.person import TerminalPerson
from inspector.errors import ConnectionFailed, UsageError

ISSUERS = ("https://a.example", "https://b.example")


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def nobody(said: list[str]) -> TerminalPerson:
    """Tests have no terminal."""
    return TerminalPerson(said.append)


async def test_without_a_terminal_every_question_names_its_option(
    nobody: TerminalPerson, said: list[str]
) -> None:
    with pytest.raises(ConnectionFailed, match="several") as several:
        await nobody.choose_server(ISSUERS)
    with pytest.raises(ConnectionFailed, match="client id") as client:
        await nobody.name_client("https://a.example", "it registers no clients")
    assert (several.value.hint, client.value.hint) == ("add --issuer URL", "add --client-id ID")
    assert {several.value.kind, client.value.kind} == {"auth"}
    assert "  2  https://b.example" in said


async def test_without_a_terminal_nothing_is_allowed(
    nobody: TerminalPerson, said: list[str]
) -> None:
    assert await nobody.allow_issuer("https://a", "https://a/") is False
    assert await nobody.confirm_scopes(StepUp(("a", "b"), ("b",), 1)) is False
    assert "  found     https://a/" in said


def test_the_way_to_the_browser_is_chosen_by_the_command_line(said: list[str]) -> None:
    assert isinstance(TerminalPerson(said.append).consent(), LoopbackConsent)
    assert isinstance(TerminalPerson(said.append, paste=True).consent(), PasteConsent)


def test_a_redirect_uri_elsewhere_can_be_pasted_and_not_listened_at(said: list[str]) -> None:
    elsewhere = "https://app.example.com/cb"
    TerminalPerson(said.append, paste=True, redirect_uri=elsewhere).consent()
    with pytest.raises(UsageError, match="cannot be listened at"):
        TerminalPerson(said.append, redirect_uri=elsewhere).consent()


def test_the_whole_address_is_shown_with_its_host_and_what_speaks_against_it(
    nobody: TerminalPerson, said: list[str]
) -> None:
    nobody._announce("http://xn--pple-43d.com/authorize?a=b")
    assert said[1:3] == ["  http://xn--pple-43d.com/authorize?a=b", "  host: xn--pple-43d.com"]
    assert len(said) == 5


@pytest.mark.parametrize("url", ["javascript:alert(1)", "--help", "https://u:p@h/", "file:///x"])
async def test_what_is_no_page_is_not_opened(
    nobody: TerminalPerson, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    monkeypatch.setenv("BROWSER", f"{sys.executable} -c open({str(log)!r},'w') ")
    with pytest.raises(UsageError):
        await nobody._open(url)
    assert not log.exists()
