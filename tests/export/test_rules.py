"""Redaction rules as a user writes them."""

import pytest

from inspector.errors import UsageError
from inspector.export.rules import parse_rules


def test_every_kind_of_rule_is_read() -> None:
    rules = parse_rules(
        ["key=pass*", "path=$.params.a[*]", "value=s3cret", "value-env=PIN", r"regex=\d{4}"],
        {"PIN": " 471100\n"},
    )
    assert rules.keys == ("pass*",)
    assert rules.paths == ((("params", "a", None), "path=$.params.a[*]"),)
    assert [value for value, _ in rules.values] == ["s3cret", "471100"]
    assert rules.patterns[0][0].pattern == r"\d{4}"
    assert rules.any
    assert not parse_rules([], {}).any


def test_labels_do_not_tell_the_values() -> None:
    rules = parse_rules(["value=s3cret", "value-env=PIN", "regex=s3c"], {"PIN": "471100"})
    assert rules.labels == ("value #1", "value-env=PIN", "regex #1")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("kye=x", "did you mean key="),
        ("s3cretvalue", "may be the secret"),
        ("value=ab", "shorter than 3"),
        ("value-env=NOPE", "no environment variable NOPE"),
        ("path=$.a=1", "is no path"),
        ("path=word", "is no path"),
        ("path=$.a[", "path"),
        ("path=$.a[-1]", "from the beginning"),
        ("regex=(", "regex"),
        ("regex=x*", "where nothing stands"),
        ("key=", "wants something"),
    ],
)
def test_a_wrong_rule_says_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_rules([text], {})
    assert says in caught.value.message + caught.value.hint
    assert "s3cretvalue" not in caught.value.message + caught.value.hint
