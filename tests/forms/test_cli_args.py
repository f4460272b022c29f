"""Arguments as words."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.errors import UsageError
from inspector.forms.cli_args import object_of, read_arguments, shell_words, write_arguments
from inspector.forms.jsontext import dump, same
from inspector.protocol.messages import Json
from tests.forms.generators import ANY_JSON, SCHEMAS

SCHEMA: Json = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "x": {"type": "number"},
        "yes": {"type": "boolean"},
        "text": {"type": "string"},
        "maybe": {"type": ["integer", "null"]},
        "name": {"type": ["string", "null"]},
        "either": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
        "loose": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "level": {"enum": ["low", 5, None]},
        "list": {"type": "array"},
        "map": {"type": "object", "properties": {"in": {"type": "integer"}, "s": {}}},
        "a.b": {"type": "integer"},
        "a": {"type": "object", "properties": {"b": {}, "c": {"type": "integer"}}},
        "any": {},
    },
}


@pytest.mark.parametrize(
    ("word", "sent"),
    [
        ("n=5", '{"n":5}'),
        ("n=five", '{"n":"five"}'),
        ("n=1.0", '{"n":1.0}'),
        ("n=1.5", '{"n":"1.5"}'),
        ("n=", '{"n":""}'),
        ("n=99999999999999999999999", '{"n":99999999999999999999999}'),
        ("x=1.10", '{"x":1.10}'),
        ("yes=true", '{"yes":true}'),
        ("yes=True", '{"yes":"True"}'),
        ("yes=1", '{"yes":"1"}'),
        ("text=5", '{"text":"5"}'),
        ("text=a=b:=c", '{"text":"a=b:=c"}'),
        ("text=", '{"text":""}'),
        ("maybe=null", '{"maybe":null}'),
        ("name=null", '{"name":"null"}'),
        ("either=5", '{"either":5}'),
        ("either=false", '{"either":false}'),
        ("loose=5", '{"loose":"5"}'),
        ("level=low", '{"level":"low"}'),
        ("level=5", '{"level":5}'),
        ("level=6", '{"level":"6"}'),
        ("level=null", '{"level":null}'),
        ("list=[1,2.0]", '{"list":[1,2.0]}'),
        ("list=a,b", '{"list":"a,b"}'),
        ('map={"q":1}', '{"map":{"q":1}}'),
        ("map.in=3", '{"map":{"in":3}}'),
        ("map.new=3", '{"map":{"new":"3"}}'),
        ("a.b=3", '{"a.b":3}'),
        ("a.c=3", '{"a":{"c":3}}'),
        ("text.in=3", '{"text.in":"3"}'),
        ("any=5", '{"any":"5"}'),
        ("unknown=5", '{"unknown":"5"}'),
        ("n:=5.0", '{"n":5.0}'),
        ('n:="5"', '{"n":"5"}'),
        ("any:=null", '{"any":null}'),
        ('n:={"a":1,"a":2}', '{"n":{"a":1,"a":2}}'),
    ],
)
def test_a_word_is_what_the_schema_makes_of_it(word: str, sent: str) -> None:
    assert dump(read_arguments([word], SCHEMA)) == sent


def test_without_a_schema_text_is_a_string() -> None:
    assert read_arguments(["a=5", "b:=5"])["a"] == "5"


def test_a_file_gives_its_exact_text(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes("é\r\n".encode())
    assert read_arguments([f"text@={tmp_path / 'f'}"], SCHEMA) == {"text": "é\r\n"}
    (tmp_path / "n").write_text("7")
    assert dump(read_arguments([f"n@={tmp_path / 'n'}"], SCHEMA)) == '{"n":7}'
    (tmp_path / "bad").write_bytes(b"\xff")
    for name, reason in (("bad", "is not UTF-8"), ("none", "No such file")):
        with pytest.raises(UsageError, match=reason) as error:
            read_arguments([f"text@={tmp_path / name}"], SCHEMA)
        assert "'text'" in error.value.message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing"], "'nothing' is no argument"),
        (["=5"], "'=5' is no argument"),
        ([":=5"], "':=5' is no argument"),
        (["n:=five"], r"argument 'n' is not JSON: Expecting value \(column 1\)"),
        (["n:=NaN"], "NaN is no JSON number"),
        (["n=1", "n=2"], "argument 'n' is given twice"),
        (["map={}", "map.in=3"], "argument 'map.in' is given twice"),
        (["text=\udcff"], "argument 'text' is not UTF-8"),
    ],
)
def test_a_wrong_word_is_named_with_the_next_step(words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message) as error:
        read_arguments(words, SCHEMA)
    assert error.value.hint


def test_words_replace_what_the_base_has() -> None:
    base = object_of('{"n": 1.0, "map": {"in": 1, "s": 1E5}}', "--args")
    assert dump(read_arguments(["map.in=2", "text=x"], SCHEMA, base=base)) == (
        '{"n":1.0,"map":{"in":2,"s":1E5},"text":"x"}'
    )
    with pytest.raises(UsageError, match="'map' is not an object"):
        read_arguments(["map.in=2"], SCHEMA, base={"map": 5})
    for text in ("[1]", "{"):
        with pytest.raises(UsageError, match="--args is not"):
            object_of(text, "--args")


def test_arguments_are_spelt_as_short_as_they_can_be() -> None:
    words = write_arguments({"n": 5, "text": "5", "any": "a b", "list": [1], "x": "1"}, SCHEMA)
    assert words == ["n=5", "text=5", "any=a b", "list=[1]", 'x:="1"']
    assert shell_words(["any=a b", "n=5"]) == "'any=a b' n=5"
    assert write_arguments({"a=b": 1}, SCHEMA) is None
    assert write_arguments([1], SCHEMA) is None


@given(st.dictionaries(st.text(max_size=4), ANY_JSON, max_size=4), SCHEMAS)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_written_words_read_back_as_the_same_arguments(
    arguments: dict[str, Json], schema: Json
) -> None:
    words = write_arguments(arguments, schema)
    if words is not None:
        assert same(read_arguments(words, schema), arguments)


@given(st.lists(st.text(max_size=12), max_size=4), SCHEMAS | ANY_JSON)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_words_and_any_schema_give_arguments_or_a_usage_error(
    words: list[str], schema: Json
) -> None:
    hint = "read"
    try:
        read_arguments(words, schema, read=lambda path: path)
    except UsageError as error:
        hint = error.hint
    assert hint
