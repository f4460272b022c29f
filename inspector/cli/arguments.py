"""Arguments typed on the command line, to what is sent.

The grammar of `key=text`, `key:=json` and `key@=file` is `inspector.forms.cli_args`; this adds
`--args`, prompts (whose arguments are strings) and the parameters of `request`. JSON that the user
wrote goes out as it was written, token for token.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from inspector.errors import UsageError
from inspector.protocol.messages import Json, RawJson, Sendable


class ToolArguments:
    """The arguments of a tool, as words or all at once from `--args`.

    What `key=text` means may depend on the tool's schema (`a=2` is a number where no string is
    allowed). `needs_schema` tells whether any word is of that kind: only then the tool list is
    worth asking for. Wrong words raise UsageError here, before anything is started.
    """

    def __init__(self, words: Sequence[str], args: str | None) -> None:
        self._words = tuple(words)
        self._files: dict[str, str] = {}
        self._whole: Sendable = None
        if args is not None:
            if words:
                raise UsageError("--args and key=value arguments exclude each other")
            self._whole = _object(_source("--args", args, stdin=True), "--args")
        self.needs_schema = any(_is_ambiguous(word) for word in words)
        self.with_schema(True)

    def with_schema(self, schema: Json) -> Sendable:
        """The arguments, read with the tool's input schema (True where it is not known)."""
        if self._whole is not None:
            return self._whole
        from inspector.forms.cli_args import read_arguments

        return read_arguments(self._words, schema, read=self._read)

    def _read(self, path: str) -> str:
        """Each file is read once: it may be a pipe."""
        if path not in self._files:
            self._files[path] = Path(path).read_bytes().decode("utf-8")
        return self._files[path]


def _is_ambiguous(word: str) -> bool:
    key, _, text = word.partition("=")
    if "." in key or key.endswith("@"):
        return True
    return not key.endswith(":") and (text in ("true", "false", "null") or text[:1] in _JSON_STARTS)


_JSON_STARTS = frozenset("-0123456789{[")


def prompt_arguments(words: Sequence[str]) -> dict[str, str]:
    """The arguments of a prompt, which are strings (server/prompts); `key@=file` reads one."""
    arguments: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or name == "@":
            raise UsageError(f"{word!r} is no argument", hint="write key=text or key@=file")
        if name.endswith("@"):
            name, value = name[:-1], _source(name, f"@{value}")
        if name in arguments:
            raise UsageError(f"the argument {name!r} is given twice")
        arguments[name] = value
    return arguments


def request_params(text: str | None) -> Sendable:
    """The parameters of a request: an object (any JSON is sent, a debugger may), or none."""
    if text is None:
        return None
    return _json(_source("PARAMS-JSON", text, stdin=True), "PARAMS-JSON")


def _source(name: str, text: str, *, stdin: bool = False) -> str:
    """The text itself, or what the file or stdin that it names holds."""
    try:
        if stdin and text == "-":
            return sys.stdin.buffer.read().decode("utf-8")
        if text.startswith("@"):
            return Path(text[1:]).read_bytes().decode("utf-8")
    except OSError as error:
        raise UsageError(f"{name}: {text[1:]} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{name}: {text[1:] or 'stdin'} is not UTF-8") from None
    return text


def _object(text: str, name: str) -> Sendable:
    raw = _json(text, name)
    if not text.lstrip().startswith("{"):
        raise UsageError(f"{name} is not a JSON object", hint='write {"key": value}')
    return raw


def _json(text: str, name: str) -> RawJson:
    try:
        json.loads(text, parse_constant=_refuse, parse_int=str)
    except ValueError as error:
        raise UsageError(f"{name} is no JSON: {error}") from None
    except RecursionError:
        raise UsageError(f"{name} is nested too deep") from None
    try:
        return RawJson(text.strip().encode())
    except UnicodeEncodeError:
        raise UsageError(f"{name} is not UTF-8") from None


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")
