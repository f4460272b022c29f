"""A crash report says where, and nothing that could be a secret."""

from base64 import b64encode
from collections.abc import Callable
from urllib.parse import quote

import pytest

from inspector.cli import crash
from inspector.cli.output import CRASHED
from inspector.render.safe import DANGEROUS
from tests.servers.hostile_texts import TEXTS


def fail_with(text: str) -> Exception:
    token_in_a_local = text
    try:
        raise RuntimeError(f"cannot use {token_in_a_local}")
    except RuntimeError as error:
        return error


def test_the_report_names_the_place_and_whose_fault_it_is() -> None:
    report = crash.describe(fail_with("x"))
    assert "fault of mcp-inspect" in report
    assert "test_crash.py" in report
    assert "in fail_with" in report


@pytest.mark.parametrize(
    "secret",
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "Bearer abc.def", "ghp_0123456789abcdef"],
)
def test_what_looks_like_a_secret_is_taken_out(secret: str) -> None:
    assert secret not in crash.describe(fail_with(secret))


def test_the_secrets_of_the_run_are_taken_out() -> None:
    crash.keep_secret(["correct horse", "ab"])
    report = crash.describe(fail_with("correct horse"))
    assert "correct horse" not in report
    assert "<secret>" in report


@pytest.mark.parametrize("encode", [quote, lambda text: b64encode(text.encode()).decode()])
def test_the_secrets_of_the_run_are_taken_out_however_they_are_written(
    encode: Callable[[str], str],
) -> None:
    crash.keep_secret(["correct/horse=battery"])
    report = crash.describe(fail_with(f"x {encode('correct/horse=battery')}"))
    assert encode("correct/horse=battery")[:16] not in report
    assert "battery" not in report


def test_what_is_called_a_secret_is_taken_out() -> None:
    report = crash.describe(fail_with('{"password": "hunter2", "id": 1}'))
    assert "hunter2" not in report
    assert '"id": 1' in report


def test_source_lines_are_not_quoted() -> None:
    assert "token_in_a_local" not in crash.describe(fail_with("x"))


def test_groups_are_opened() -> None:
    group = ExceptionGroup("two", [fail_with("a"), ExceptionGroup("in", [fail_with("b")])])
    report = crash.describe(group)
    assert "cannot use a" in report
    assert "cannot use b" in report


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert "\x1b" not in crash.describe(fail_with("\x1b]52;c;x\x07"))


def test_the_exit_code_is_never_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert crash.report(fail_with("x")) == CRASHED == 70
    assert "crashed" in capsys.readouterr().err


def test_a_report_is_seen_text_whatever_it_quotes() -> None:
    for text in TEXTS.values():
        report = crash.describe(fail_with(text))
        assert DANGEROUS.search(report.replace("\n", "")) is None
