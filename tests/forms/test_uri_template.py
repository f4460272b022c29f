"""Templates of servers, good and bad."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.forms.uri_template import expanded, template_parts


def test_a_template_is_filled_in() -> None:
    parts = template_parts("db://{table}/{id}{?page}")
    assert parts.names == ("table", "id", "page")
    assert parts.problem == ""
    assert expanded("db://{table}/{id}{?page}", {"table": "a b", "id": "7"}) == "db://a%20b/7"


@pytest.mark.parametrize("template", ["x://{a:b}", "{qZ7!r:x}", "...;{/@:/}_:+"])
def test_what_is_no_template_says_so_and_stays_as_it_is(template: str) -> None:
    assert "no URI template" in template_parts(template).problem
    assert expanded(template, {}) == template


def test_a_value_without_a_uri_form_leaves_the_template() -> None:
    assert expanded("x://{a}", {"a": "\ud800"}) == "x://{a}"


@given(st.text("{}+#./;?&,=:*|!@ab01-_%\u202e\ud800", max_size=20), st.text(max_size=3))
def test_no_template_is_an_error_of_ours(template: str, value: str) -> None:
    names = template_parts(template).names
    assert isinstance(expanded(template, dict.fromkeys(names, value)), str)


def test_a_template_that_takes_too_long_to_read_is_none() -> None:
    hostile = "{" * 100_000
    assert template_parts(hostile).problem
    assert expanded(hostile, {}) == hostile
    assert template_parts("x:/{a}" + "b" * 100_000).names == ("a",)
