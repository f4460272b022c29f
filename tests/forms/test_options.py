"""What the values of an enum are called."""

from inspector.forms.options import LABEL_LIMIT, label_of, options_of
from inspector.protocol.messages import Json


def labels(values: list[Json], names: list[Json] | None = None) -> list[str]:
    return [option.label for option in options_of(values, names or [])]


def test_text_that_looks_like_another_value_is_quoted_among_other_values() -> None:
    assert labels(["a", 1, "1", True, "true", {"k": 1}, '{"k":1}', "null", "[1]"]) == [
        "a", "1", '"1"', "true", '"true"', '{"k":1}', '"{\\"k\\":1}"', '"null"', '"[1]"',
    ]  # fmt: skip
    assert labels(["1", "2", "true", None]) == ["1", "2", "true"]


def test_text_that_does_not_show_is_quoted() -> None:
    assert labels(["", " ", "a"]) == ['""', '" "', "a"]


def test_names_are_labels_as_far_as_they_are_text() -> None:
    assert labels(["r", "g", "b"], ["Red", 5]) == ["Red", "g", "b"]
    assert labels(["r"], ["Red", "Green"]) == ["Red"]


def test_null_is_no_option() -> None:
    assert [option.value for option in options_of([None, "a"], ["none", "A"])] == ["a"]
    assert labels([None, "a"], ["none", "A"]) == ["A"]


def test_long_labels_are_cut() -> None:
    assert len(label_of("x" * 1000)) == LABEL_LIMIT
    assert len(labels(["x"], ["n" * 1000])[0]) == LABEL_LIMIT
