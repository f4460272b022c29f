"""Opening a page: which URLs may be, and that the program gets exactly one argument."""

from pathlib import Path

import pytest

from inspector.errors import UsageError
from inspector.transport.browser import check_page, open_page, opener


@pytest.mark.parametrize(
    "url",
    [
        "--help",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "http:///nowhere",
        "https://user:secret@example.com/",
        "https://exa mple.com/",
        "https://example.com/\x1b]52;",
        "//example.com",
        "https:example.com",
        "http://[::1",
        "data:text/html,x",
        "",
    ],
)
def test_what_is_no_plain_web_page_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        check_page(url)
    with pytest.raises(UsageError):
        opener(url)


def test_a_host_in_other_letters_is_shown_as_the_network_sees_it() -> None:
    address = check_page("https://аpple.com/login")  # the first letter is Cyrillic
    assert address.host.startswith("xn--")
    assert address.warnings


def test_an_ordinary_page_has_no_warnings() -> None:
    assert check_page("https://example.com/a?b=c#d").warnings == ()
    assert check_page("http://localhost:3000/").warnings == ()
    assert check_page("http://example.com/").warnings


def _logging_browser(folder: Path, code: int = 0) -> tuple[Path, Path]:
    script, log = folder / "browser", folder / "argv"
    script.write_text(f'#!/bin/sh\nfor a in "$@"; do echo "$a" >> "{log}"; done\nexit {code}\n')
    script.chmod(0o755)
    return script, log


@pytest.mark.parametrize(
    "url",
    ["https://example.com/?x=%action&y=%s", "https://example.com/;id", "http://localhost/$(id)"],
)
async def test_the_browser_gets_exactly_the_url_as_one_argument(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, log = _logging_browser(tmp_path)
    monkeypatch.setenv("BROWSER", str(script))
    await open_page(url)
    assert log.read_text().splitlines() == [url]


async def test_a_placeholder_in_browser_is_filled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, log = _logging_browser(tmp_path)
    monkeypatch.setenv("BROWSER", f"{script} --new-window %s")
    await open_page("https://example.com/%s")
    assert log.read_text().splitlines() == ["--new-window", "https://example.com/%s"]


async def test_a_browser_that_refuses_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, _ = _logging_browser(tmp_path, code=3)
    monkeypatch.setenv("BROWSER", str(script))
    with pytest.raises(UsageError, match="exit code 3"):
        await open_page("https://example.com/")


def test_without_any_browser_the_next_step_is_named() -> None:
    with pytest.raises(UsageError) as caught:
        opener("https://example.com/", {"PATH": "/nonexistent"})
    assert "BROWSER" in caught.value.hint
