"""Words of the command line to what is sent, token for token."""

import io
from pathlib import Path

import pytest

from inspector.cli.arguments import ToolArguments, prompt_arguments, request_params
from inspector.errors import UsageError
from inspector.protocol.messages import Json, encode_json

NUMBER: Json = {"type": "object", "properties": {"a": {"type": "number"}}}


def sent(words: list[str], args: str | None = None, schema: Json = True) -> bytes:
    return encode_json(ToolArguments(words, args).with_schema(schema))


def test_json_goes_out_as_it_was_written() -> None:
    assert sent(["a:=1.10", "b:=[1E5, 2]", "c=3"]) == b'{"a":1.10,"b":[1E5, 2],"c":"3"}'
    assert sent([], '{"big": 123456789012345678901234567890, "x": 1.10}') == (
        b'{"big": 123456789012345678901234567890, "x": 1.10}'
    )


def test_no_arguments_are_an_empty_object() -> None:
    assert sent([]) == b"{}"


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        (["a=2"], True),
        (["a=-1"], True),
        (["a=true"], True),
        (["a=[1]"], True),
        (["a@=FILE"], True),
        (["a.b:=1"], True),
        (["a=Ada"], False),
        (["a=nullable"], False),
        (["a="], False),
        (["a:=2"], False),
        ([], False),
    ],
)
def test_the_schema_is_asked_for_only_where_it_decides(
    words: list[str], needed: bool, tmp_path: Path
) -> None:
    (tmp_path / "f").write_text("x")
    given = [word.replace("FILE", str(tmp_path / "f")) for word in words]
    assert ToolArguments(given, None).needs_schema is needed


def test_the_schema_turns_a_text_into_a_number() -> None:
    assert sent(["a=2.50"], schema=NUMBER) == b'{"a":2.50}'


def test_a_file_is_read_once_even_where_the_arguments_are_read_twice(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("text")
    arguments = ToolArguments([f"a@={file}"], None)
    file.unlink()
    assert encode_json(arguments.with_schema(True)) == b'{"a":"text"}'


def test_args_come_from_a_file_or_from_stdin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "args.json"
    file.write_text(' {"a": 1}\n')
    assert sent([], f"@{file}") == b'{"a": 1}'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"b": 2}')))
    assert sent([], "-") == b'{"b": 2}'


@pytest.mark.parametrize(
    ("words", "args"),
    [
        (["a"], None),
        (["=x"], None),
        (["a:={"], None),
        (["a@=/no/such"], None),
        (["a=1", "a=2"], None),
        (["a=1"], "{}"),
        ([], "{"),
        ([], "[1]"),
        ([], '{"a": NaN}'),
        ([], "@/no/such"),
        ([], "[" * 100_000),
    ],
)
def test_wrong_arguments_are_refused_before_anything_starts(
    words: list[str], args: str | None
) -> None:
    with pytest.raises(UsageError):
        ToolArguments(words, args)


def test_prompt_arguments_are_strings(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("from file")
    assert prompt_arguments(["a=1", "b=x=y", f"c@={file}", "d="]) == {
        "a": "1",
        "b": "x=y",
        "c": "from file",
        "d": "",
    }


@pytest.mark.parametrize("words", [["a"], ["=b"], ["@=f"], ["a=1", "a=2"], ["a@=/no/such"]])
def test_wrong_prompt_arguments_are_refused(words: list[str]) -> None:
    with pytest.raises(UsageError):
        prompt_arguments(words)


@pytest.mark.parametrize("text", ['{"a": "\udcff"}', '["\ud800"]'])
def test_what_was_typed_and_is_not_utf8_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not UTF-8"):
        request_params(text)
    with pytest.raises(UsageError):
        ToolArguments([], text)


def test_request_parameters_may_be_any_json_or_none() -> None:
    assert request_params(None) is None
    assert encode_json(request_params('{"a": 1.10}')) == b'{"a": 1.10}'
    assert encode_json(request_params("[1]")) == b"[1]"
    with pytest.raises(UsageError):
        request_params("{")
