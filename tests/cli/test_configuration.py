"""`mcp-inspect config`: says where things are and what is wrong, and changes nothing."""

import json

from tests.cli.running import Runner


def test_the_places_are_named(run: Runner) -> None:
    done = run("config", "path")
    assert done.code == 0
    assert str(run.home / "config" / "settings.toml") in done.stdout
    assert "(not there)" in done.stdout
    assert not (run.home / "config").exists()


def test_everything_wrong_is_in_one_report(run: Runner) -> None:
    assert run("config", "check").code == 0
    config = run.home / "config"
    (config / "themes").mkdir(parents=True)
    (config / "settings.toml").write_text('[appearance]\ntheme = "none"\ncolour = 1\n')
    (config / "keymap.toml").write_text('[keys]\n"no.such" = "x"\n')
    (config / "themes" / "bad.toml").write_text("name = 3\n")
    done = run("config", "check")
    assert done.code == 2
    for words in ("line 3: unknown key 'colour'", "no theme 'none'", "'no.such'", "bad.toml"):
        assert words in done.stderr


def test_the_themes_are_listed(run: Runner) -> None:
    done = run("config", "themes")
    assert done.stdout.startswith("inspector-dark")
    assert "monochrome-light" in done.stdout


def test_no_servers_is_no_error(run: Runner) -> None:
    done = run("config", "servers")
    assert done.code == 0
    assert "no config file names a server" in done.stderr


def test_wrong_settings_are_told_beside_the_result(run: Runner) -> None:
    (run.home / "config").mkdir()
    (run.home / "config" / "settings.toml").write_text("[connection]\ntimeout = 0\n")
    done = run("info", "--", "/no/such/program")
    assert "line 2: connection.timeout must be a number of seconds above 0" in done.stderr


def test_nothing_of_a_server_is_cut_off(run: Runner) -> None:
    words = [f"word{number}" for number in range(60)]
    entry = {"command": "/bin/server", "args": words}
    (run.home / ".mcp.json").write_text(json.dumps({"mcpServers": {"long": entry}}))
    shown = "".join(run("config", "servers").stdout.split())
    assert "…" not in shown
    assert all(word in shown for word in words)
