"""Keymaps: a wrong line is named and its default stays."""

from pathlib import Path

from inspector.config.keymaps import KnownBinding, load_keymap, read_keymap

KNOWN = (
    KnownBinding("app.quit", ("ctrl+q",)),
    KnownBinding("traffic.follow", ("f",), "traffic"),
    KnownBinding("traffic.mark", ("m",), "traffic"),
    KnownBinding("tools.mark", ("m",), "tools"),
)


def test_no_file_changes_nothing(tmp_path: Path) -> None:
    keymap = load_keymap(KNOWN, tmp_path / "keymap.toml")
    assert keymap.overrides == {}
    assert keymap.problems == ()


def test_keys_are_text_or_lists_or_nothing() -> None:
    keymap = read_keymap(
        '[keys]\n"app.quit" = "ctrl+x"\n"traffic.follow" = ["F", "ctrl+f"]\n"traffic.mark" = []\n',
        KNOWN,
    )
    assert keymap.problems == ()
    assert keymap.overrides == {
        "app.quit": "ctrl+x",
        "traffic.follow": "F,ctrl+f",
        "traffic.mark": "",
    }


def test_unquoted_ids_mean_the_same() -> None:
    assert read_keymap('[keys]\napp.quit = "q"', KNOWN).overrides == {"app.quit": "q"}


def test_an_unknown_id_is_named_with_its_line_and_the_nearest() -> None:
    keymap = read_keymap('[keys]\n"app.quitt" = "q"\n"traffic.mark" = "x"\n', KNOWN)
    assert keymap.overrides == {"traffic.mark": "x"}
    assert keymap.problems == ("line 2: there is no binding 'app.quitt'; did you mean 'app.quit'?",)


def test_a_clash_inside_a_scope_or_with_the_app_is_reported() -> None:
    clash = read_keymap('[keys]\n"traffic.follow" = "m"', KNOWN)
    assert clash.problems == ("m is bound to both 'traffic.follow' and 'traffic.mark'",)
    with_app = read_keymap('[keys]\n"tools.mark" = "ctrl+q"', KNOWN)
    assert with_app.problems == ("ctrl+q is bound to both 'tools.mark' and 'app.quit'",)


def test_the_same_key_in_two_scopes_is_no_clash() -> None:
    assert read_keymap('[keys]\n"tools.mark" = "f"', KNOWN).problems == ()


def test_two_own_lines_that_clash_are_reported_once() -> None:
    keymap = read_keymap('[keys]\n"traffic.follow" = "z"\n"traffic.mark" = "z"', KNOWN)
    assert len(keymap.problems) == 1


def test_wrong_values_and_tables_are_named() -> None:
    keymap = read_keymap('[keys]\n"app.quit" = 3\n"traffic.mark" = "two words"\n[key]\n', KNOWN)
    assert keymap.overrides == {}
    assert len(keymap.problems) == 3


def test_a_broken_file_is_one_problem(tmp_path: Path) -> None:
    path = tmp_path / "keymap.toml"
    path.write_text("[keys\n")
    assert load_keymap(KNOWN, path).problems[0].startswith(f"{path}: line 1")
