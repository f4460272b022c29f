"""Settings: one report of everything wrong, and what is right still counts."""

from pathlib import Path

import pytest

from inspector.config.settings import Settings, load_settings, read_settings


def test_without_a_file_there_are_defaults(tmp_path: Path) -> None:
    loaded = load_settings(tmp_path / "settings.toml")
    assert loaded.settings == Settings()
    assert loaded.problems == ()


def test_every_key_is_read() -> None:
    loaded = read_settings(
        """
        [appearance]
        theme = "tidal"
        [connection]
        timeout = 5
        protocol = "2025-06-18"
        roots = ["file:///srv"]
        [recording]
        record = false
        [asks]
        sampling = "decline"
        elicitation = "cancel"
        """
    )
    assert loaded.problems == ()
    assert loaded.settings == Settings(
        theme="tidal",
        timeout=5.0,
        protocol="2025-06-18",
        roots=("file:///srv",),
        record=False,
        sampling="decline",
        elicitation="cancel",
    )


def test_everything_wrong_is_reported_at_once_with_lines(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(
        '[connection]\ntimeout = -1\ntimout = 3\n[recording]\nrecord = "yes"\n\n'
        '[looks]\n[asks]\nsampling = "maybe"\n[appearance]\ntheme = "tidal"\n'
    )
    loaded = load_settings(path)
    assert loaded.settings.theme == "tidal"
    assert loaded.settings.timeout == Settings().timeout
    report = "\n".join(loaded.problems)
    assert f"{path}: line 2: connection.timeout must be a number of seconds above 0" in report
    assert "line 3: unknown key 'timout' in [connection]; did you mean 'timeout'?" in report
    assert "line 5: recording.record must be true or false" in report
    assert "line 7: unknown table [looks]" in report
    assert "line 9: asks.sampling must be one of" in report
    assert len(loaded.problems) == 5


@pytest.mark.parametrize("text", ["x = ", "[a", "a = 1\na = 2", "connection = 3"])
def test_a_file_that_is_no_toml_leaves_the_defaults(text: str) -> None:
    loaded = read_settings(text)
    assert loaded.settings == Settings()
    assert len(loaded.problems) == 1


def test_a_syntax_error_names_its_place() -> None:
    assert read_settings("[a]\nb = ?").problems[0].startswith("line 2, column 5")


def test_a_file_that_is_not_utf8_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"\xff\xfe")
    assert "UTF-8" in load_settings(path).problems[0]
