"""One secret in many places: with a rule it is in no export, without one it is in every one."""

import base64

import pytest

from inspector.export.formats import NAMES
from tests.export.canary import SECRET, exported, recording, tells

RULES = (
    ("value", f"value={SECRET}"),
    ("value-env", "value-env=PIN"),
    ("key", "key=pin"),
    ("key with a star", "key=p*n"),
    ("path", "path=$.params.arguments.pin"),
    ("path with a star", "path=$.params.arguments[*]"),
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rule", [rule for _, rule in RULES], ids=[label for label, _ in RULES])
def test_a_secret_that_a_rule_finds_is_in_no_export(name: str, rule: str) -> None:
    assert not tells(exported(recording(), name, rule))


@pytest.mark.parametrize("name", NAMES)
def test_without_a_rule_the_oracle_finds_the_secret(name: str) -> None:
    assert tells(exported(recording(), name))


@pytest.mark.parametrize(
    "spelt",
    [
        SECRET.encode(),
        "".join(f"\\u{ord(x):04x}" for x in SECRET).encode(),
        "".join(f"%{ord(x):02X}" for x in SECRET).encode(),
        b"abc " + base64.b64encode(b"z" + SECRET.encode()),
        SECRET.replace("&", "&amp;").encode(),
    ],
)
def test_the_oracle_reads_every_spelling(spelt: bytes) -> None:
    assert tells(b'{"x": "' + spelt + b'"}')


@pytest.mark.parametrize("name", NAMES)
def test_what_an_expression_matches_is_taken_out_in_other_spellings_too(name: str) -> None:
    assert not tells(exported(recording(), name, r"regex=canary-[0-9]+/Zq.x"))


@pytest.mark.parametrize("name", NAMES)
def test_the_length_of_a_secret_leaves_no_trace(name: str) -> None:
    """Two recordings that differ in nothing but the secret's length are the same afterwards."""
    from tests.export import canary

    def written(secret: str) -> bytes:
        before, canary.SECRET = canary.SECRET, secret
        try:
            journal = canary.recording()
        finally:
            canary.SECRET = before
        for column in (journal.columns.wall, journal.columns.monotonic):
            for number in range(len(column)):
                column[number] = 1e9
        return exported(journal, name, f"value={secret}")

    assert written("short-1/a&b") == written("a-much-longer-secret-than-that/a&b")
