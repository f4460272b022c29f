"""The frame of the page: the policy fits style and script, and the script is one that parses."""

import base64
import hashlib
import shutil
import subprocess

import pytest

from inspector.export.html_page import BAR, FOOT, HEAD, POLICY, SCRIPT, STYLE


@pytest.mark.parametrize("part", [STYLE, SCRIPT])
def test_the_policy_lets_in_exactly_what_is_there(part: str) -> None:
    digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in POLICY
    assert part in HEAD + FOOT


def test_what_the_script_looks_for_is_there() -> None:
    for name in ("q", "told", "only", "close"):
        assert f'getElementById("{name}")' in SCRIPT
        assert f'id="{name}"' in BAR


def test_both_schemes_of_light_are_there() -> None:
    assert "prefers-color-scheme: dark" in STYLE
    assert ":focus-visible" in STYLE


def test_the_script_parses() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    done = subprocess.run(
        [node, "-e", "new Function(require('fs').readFileSync(0, 'utf8'))"],
        input=SCRIPT.encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
