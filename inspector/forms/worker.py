"""The validator process: JSON lines in, JSON lines out, and it may be killed at any moment.

Decides what jsonschema-rs is asked and how its answers are put into pointers and short messages.
When to start, kill and ask it is decided by `inspector.forms.validate`. It runs as a script and
imports nothing of the package, so that it starts in a few milliseconds; memory is capped, nothing
is ever fetched, and an alarm that Python cannot delay ends it when a question takes too long.

A question is a line `{"key", "schema"?, "value"}` with the lengths in bytes of the JSON texts that
follow it (the schema only when the key is new); an answer is a line
`{"problems": [[path, message]...]}` or `{"reason": text}`.
"""

import contextlib
import json
import resource
import signal
import sys
from collections.abc import Iterator
from decimal import Decimal
from typing import TypeAlias

import jsonschema_rs
from jsonschema_rs import ValidationErrorKind as Kinds

Path: TypeAlias = list[str | int]
Maker: TypeAlias = type[
    jsonschema_rs.Draft4Validator
    | jsonschema_rs.Draft6Validator
    | jsonschema_rs.Draft7Validator
    | jsonschema_rs.Draft201909Validator
    | jsonschema_rs.Draft202012Validator
]

MEMORY = 512 << 20
SECONDS = 3.0
KEPT_VALIDATORS = 8
PROBLEM_LIMIT = 100
MESSAGE_LIMIT = 300
DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"
DIALECTS: dict[str, Maker] = {
    "http://json-schema.org/draft-04/schema": jsonschema_rs.Draft4Validator,
    "http://json-schema.org/draft-06/schema": jsonschema_rs.Draft6Validator,
    "http://json-schema.org/draft-07/schema": jsonschema_rs.Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema_rs.Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": jsonschema_rs.Draft202012Validator,
}


class Refused(Exception):
    """There is no verdict; the message says why."""


class Deny:
    """A retriever that lets nothing in: no schema makes this program open a file or a socket."""

    def __call__(self, uri: str, /) -> dict[str, str]:
        raise ValueError(f"{uri} is not in this schema, and nothing is fetched")


def build(text: str) -> jsonschema_rs.Validator:
    """The validator of a schema text; raises Refused."""
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(f"the schema cannot be read: {error}") from None
    dialect = schema.get("$schema") if isinstance(schema, dict) else None
    name = dialect.removesuffix("#") if isinstance(dialect, str) else DEFAULT_DIALECT
    maker = (
        DIALECTS.get(name)
        or DIALECTS.get(name.replace("http:", "https:", 1))
        or DIALECTS.get(name.replace("https:", "http:", 1))
    )
    if maker is None:
        raise Refused(f"the schema's dialect {name[:200]} is not supported")
    try:
        return maker(schema, validate_formats=True, retriever=Deny())
    except (ValueError, RecursionError, OverflowError) as error:
        first = str(getattr(error, "message", error)).partition("\n")[0]
        raise Refused(f"the schema is not valid: {first[:MESSAGE_LIMIT]}") from None


def verdict(validator: jsonschema_rs.Validator, text: str) -> list[tuple[Path, str]]:
    """What the validator finds in a value text; raises Refused."""
    try:
        value = json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError, ArithmeticError) as error:
        raise Refused(f"the value cannot be read: {error}") from None
    found: list[tuple[Path, str]] = []
    try:
        for one in validator.iter_errors(value):
            found.extend(_told(one))
            if len(found) >= PROBLEM_LIMIT:
                break
    except UnicodeEncodeError:
        raise Refused("the value holds half of a surrogate pair") from None
    except (ValueError, RecursionError, OverflowError) as error:
        raise Refused(f"no verdict: {str(error)[:MESSAGE_LIMIT]}") from None
    return found


def _told(error: jsonschema_rs.ValidationError) -> Iterator[tuple[Path, str]]:
    """One error, moved to the property it is about where the schema speaks of its parent."""
    path: Path = list(error.instance_path)
    match error.kind:
        case Kinds.BacktrackLimitExceeded() | Kinds.RegexEngineFailure():
            raise Refused("a pattern in the schema takes too long to be tried")
        case Kinds.Required(property=name) if isinstance(name, str):
            yield [*path, name], "required"
        case Kinds.AdditionalProperties(unexpected=names):
            for name in names[:PROBLEM_LIMIT]:
                yield [*path, name], "not allowed by the schema"
        case Kinds.FalseSchema():
            yield path, "not allowed by the schema"
        case _:
            message = error.message
            if len(message) > MESSAGE_LIMIT:
                half = MESSAGE_LIMIT // 2
                message = f"{message[:half]} … {message[-half:]}"
            yield path, message


def answer(
    key: str, schema: str, value: str, known: dict[str, jsonschema_rs.Validator | str]
) -> dict[str, object]:
    """The answer to one question; `known` keeps the last few validators, or why there is none."""
    if schema:
        try:
            known[key] = build(schema)
        except Refused as refused:
            known[key] = str(refused)
        for old in list(known)[:-KEPT_VALIDATORS]:
            del known[old]
    validator = known.get(key)
    if validator is None:
        return {"unknown": True}
    if isinstance(validator, str):
        return {"reason": validator}
    try:
        return {"problems": verdict(validator, value)}
    except Refused as refused:
        return {"reason": str(refused)}


def main() -> None:
    """Answers questions until standard input ends."""
    with contextlib.suppress(ValueError, OSError):  # macOS knows no such limit
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    known: dict[str, jsonschema_rs.Validator | str] = {}
    out = sys.stdout.buffer
    out.write(b"ready\n")
    out.flush()
    for line in sys.stdin.buffer:
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        question = json.loads(line)
        schema = sys.stdin.buffer.read(question.get("schema", 0)).decode()
        value = sys.stdin.buffer.read(question["value"]).decode()
        try:
            reply = answer(question["key"], schema, value, known)
        except MemoryError:
            reply = {"reason": "the validator ran out of memory"}
            known.clear()
        out.write(json.dumps(reply).encode() + b"\n")
        signal.setitimer(signal.ITIMER_REAL, 0)
        out.flush()


if __name__ == "__main__":
    main()
