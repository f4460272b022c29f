"""`WWW-Authenticate` is read as RFC 9110 has it, and never raises."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector.auth.challenge import Challenge, parse_challenges

METADATA = "https://mcp.example.com/.well-known/oauth-protected-resource"


def _one(*values: str) -> Challenge:
    found = parse_challenges(values)
    assert found.faults == ()
    (challenge,) = found.challenges
    return challenge


def test_the_example_of_the_specification_is_read() -> None:
    found = parse_challenges([f'Bearer resource_metadata="{METADATA}",\r\n  scope="files:read"'])
    assert found.bearer is not None
    assert found.bearer.resource_metadata == METADATA
    assert found.bearer.scopes == ("files:read",)
    assert found.resource_metadata == METADATA


def test_scope_inside_an_error_description_is_no_scope() -> None:
    text = r'Bearer error="invalid_token", error_description="use scope=\"evil\", scope=evil"'
    found = parse_challenges([text])
    assert found.bearer is not None
    assert found.bearer.scope is None
    assert found.bearer.scopes is None
    assert found.bearer.error_description == 'use scope="evil", scope=evil'


def test_a_fault_hides_nothing_behind_it_as_a_parameter() -> None:
    found = parse_challenges(["Bearer error_description=go scope=evil, error=invalid_token"])
    assert found.bearer is not None
    assert found.bearer.scope is None
    assert found.bearer.error == "invalid_token"
    assert found.faults == ("a comma is missing at character 29",)


def test_several_challenges_in_one_line_keep_their_parameters_apart() -> None:
    text = 'Basic realm="a, b", Bearer scope="x y", error=insufficient_scope, Negotiate abc=='
    basic, bearer, negotiate = parse_challenges([text]).challenges
    assert basic == Challenge("Basic", (("realm", "a, b"),))
    assert bearer.params == (("scope", "x y"), ("error", "insufficient_scope"))
    assert negotiate == Challenge("Negotiate", (), "abc==")


def test_several_lines_are_one_list() -> None:
    found = parse_challenges(["Negotiate", 'bearer SCOPE = "x"'])
    assert [c.scheme for c in found.challenges] == ["Negotiate", "bearer"]
    assert found.bearer is not None
    assert found.bearer.scope == "x"


def test_the_bearer_challenge_that_names_its_metadata_is_chosen() -> None:
    found = parse_challenges(['Bearer realm="a", Bearer resource_metadata="https://b.example"'])
    assert found.bearer is not None
    assert found.bearer.realm is None
    assert found.bearer.resource_metadata == "https://b.example"


def test_metadata_of_another_scheme_counts_where_bearer_names_none() -> None:
    found = parse_challenges(['DPoP resource_metadata="https://d.example", Bearer realm=x'])
    assert found.resource_metadata == "https://d.example"
    both = parse_challenges(
        ['DPoP resource_metadata="https://d.example", Bearer resource_metadata="https://b.example"']
    )
    assert both.resource_metadata == "https://b.example"


def test_without_a_bearer_challenge_there_is_none() -> None:
    assert parse_challenges(["Basic realm=x"]).bearer is None
    assert parse_challenges([]).bearer is None
    assert parse_challenges(["Basic realm=x"]).resource_metadata is None


@pytest.mark.parametrize(
    ("text", "challenge"),
    [
        ("Bearer", Challenge("Bearer")),
        (" , ,Bearer , ", Challenge("Bearer")),
        ("Bearer , scope=x", Challenge("Bearer", (("scope", "x"),))),
        ("Bearer abc", Challenge("Bearer", (), "abc")),
        ("Bearer scope=", Challenge("Bearer", (), "scope=")),
        ("Bearer a=b", Challenge("Bearer", (("a", "b"),))),
        (r'Bearer a="\\\"\x"', Challenge("Bearer", (("a", '\\"x'),))),
        ('Bearer a=""', Challenge("Bearer", (("a", ""),))),
    ],
)
def test_the_grammar_has_its_corners(text: str, challenge: Challenge) -> None:
    assert _one(text) == challenge


@pytest.mark.parametrize(
    "text",
    [
        'Bearer scope="open',
        'Bearer scope="open\\',
        "Bearer a=1, scope=",
        "Bearer a=1, scope=,",
        "scope=lonely",
        "Negotiate abc==, scope=late",
        'Bearer "scope=x"',
        "Bearer é=1",
    ],
)
def test_what_breaks_the_grammar_is_a_fault_and_no_scope(text: str) -> None:
    found = parse_challenges([text])
    assert found.faults
    assert all(challenge.get("scope") is None for challenge in found.challenges)


def test_a_repeated_parameter_is_named_and_the_first_counts() -> None:
    challenge = _one("Bearer scope=a, SCOPE=b, error=c")
    assert challenge.get("Scope") == "a"
    assert challenge.repeated == ("scope",)


def test_an_open_quote_ends_with_its_line() -> None:
    found = parse_challenges(['Basic realm="x', "Bearer scope=y"])
    assert found.bearer is not None
    assert found.bearer.scope == "y"


def test_only_insufficient_scope_asks_for_more() -> None:
    more = parse_challenges(["Bearer error=insufficient_scope"]).bearer
    other = parse_challenges(["Bearer error=invalid_token"]).bearer
    assert more is not None
    assert other is not None
    assert more.insufficient_scope
    assert not other.insufficient_scope


@given(st.lists(st.text(st.characters(codec=None), max_size=60), max_size=4))
@example(['"' * 50])
@example(["Bearer =,=,"])
def test_no_text_raises(values: list[str]) -> None:
    found = parse_challenges(values)
    assert all(challenge.scheme for challenge in found.challenges)


@given(st.lists(st.text(alphabet=' \t,="\\abBearer/é', max_size=80), max_size=3))
def test_no_text_made_of_the_grammars_own_characters_raises(values: list[str]) -> None:
    found = parse_challenges(values)
    assert all(name == name.lower() for c in found.challenges for name, _ in c.params)


@given(st.text(st.characters(codec="utf-8"), max_size=40), st.text(max_size=20))
def test_a_quoted_value_comes_back_whole_and_alone(value: str, other: str) -> None:
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    found = parse_challenges([f'Bearer error_description="{quoted}", error=e, x="{len(other)}"'])
    assert found.bearer is not None
    assert found.bearer.error_description == value
    assert found.bearer.error == "e"
    assert found.bearer.scope is None


@pytest.mark.parametrize(
    "text", ['"' * 200_000, "Bearer " + "a," * 100_000, "\\" * 200_000, 'B "' + '\\"' * 99_999]
)
def test_long_lines_are_read_in_one_pass(text: str) -> None:
    found = parse_challenges([text])
    assert len(found.challenges) <= 100_001
