"""The shape table against the official schemas: for every type and revision they say the same, and
so do their verdicts, on single values and on whole messages."""

import json
import random
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import pytest
from jsonschema_rs import Validator, validator_for

from inspector.protocol.messages import Json, JsonObject, MessageKind
from inspector.protocol.shape_check import ShapeChecker
from inspector.protocol.shapes import TYPES, schema_for, type_in
from inspector.protocol.versions import REVISIONS, Revision
from tests.protocol.schema_compare import Comparison
from tests.protocol.schema_corpus import samples, spoiled
from tests.protocol.schema_random import Values

SCHEMAS = Path(__file__).parents[2] / ".." / "shared" / "schemas"

pytestmark = pytest.mark.skipif(
    not (SCHEMAS / f"{REVISIONS[0]}.json").exists(),
    reason="the official schema files are not beside the repository",
)


@lru_cache
def official(revision: Revision) -> tuple[str, JsonObject]:
    """The word under which the official schema keeps its definitions, and these."""
    document = json.loads((SCHEMAS / f"{revision}.json").read_text())
    word = "$defs" if "$defs" in document else "definitions"
    definitions: JsonObject = document[word]
    return word, definitions


@cache
def official_validator(name: str, revision: Revision) -> Validator:
    return validator_of(reference(name, revision), revision)


def reference(name: str, revision: Revision) -> JsonObject:
    return {"$ref": f"#/{official(revision)[0]}/{name}"}


def validator_of(schema: JsonObject, revision: Revision) -> Validator:
    """A validator of a schema that refers to the official types."""
    word, definitions = official(revision)
    document = json.loads((SCHEMAS / f"{revision}.json").read_text())
    whole = {"$schema": document["$schema"], **schema, word: definitions}
    return validator_for(whole, validate_formats=False)


@cache
def our_validator(name: str, revision: Revision) -> Validator:
    return validator_for(schema_for(name, revision), validate_formats=False)


def types() -> list[str]:
    """Every type of every official schema, or of ours where the files are absent."""
    try:
        return sorted({name for revision in REVISIONS for name in official(revision)[1]})
    except OSError:
        return sorted(TYPES)


def corpus(name: str) -> Iterator[Json]:
    """Values made from either schema of each revision, and their spoiled copies."""
    seen: set[str] = set()
    for revision in REVISIONS:
        if type_in(name, revision) is None:
            continue
        ours = schema_for(name, revision)
        definitions = ours["$defs"]
        assert isinstance(definitions, dict)
        valid = list(samples(ours, definitions))
        if name in official(revision)[1]:
            valid += samples(official(revision)[1][name], official(revision)[1])
        for sample in valid:
            for value in (sample, *spoiled(sample)):
                key = json.dumps(value, sort_keys=True)
                if key not in seen:
                    seen.add(key)
                    yield value


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_table_names_exactly_the_types_of_the_official_schema(revision: Revision) -> None:
    named = {
        name
        for name in TYPES
        if (row := type_in(name, revision))
        and row.named_since is not None
        and row.named_since <= revision
    }
    assert named == set(official(revision)[1])


@pytest.mark.parametrize("name", types())
def test_every_verdict_is_the_official_one_in_every_revision(name: str) -> None:
    revisions = [revision for revision in REVISIONS if name in official(revision)[1]]
    verdicts = {True: 0, False: 0}
    for value in corpus(name):
        for revision in revisions:
            verdict = our_validator(name, revision).is_valid(value)
            verdicts[verdict] += 1
            assert verdict == official_validator(name, revision).is_valid(value), (
                f"{name} in {revision} on {json.dumps(value)[:500]}"
            )
    assert verdicts[True], "the corpus holds something valid"
    assert verdicts[False], "the corpus holds something invalid"


@pytest.mark.parametrize("revision", REVISIONS)
def test_what_is_made_from_a_schema_is_valid_by_it(revision: Revision) -> None:
    for name, schema in official(revision)[1].items():
        for value in samples(schema, official(revision)[1]):
            assert official_validator(name, revision).is_valid(value), f"{name}: {value}"
            assert our_validator(name, revision).is_valid(value), f"{name}: {value}"


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_type_says_word_for_word_what_the_official_schema_says(revision: Revision) -> None:
    definitions = official(revision)[1]
    for name, schema in definitions.items():
        ours = schema_for(name, revision)
        named = ours["$defs"]
        assert isinstance(named, dict)
        assert Comparison(definitions, named).differences(schema, named[name], name) == []


@pytest.mark.parametrize(
    ("path", "change", "said"),
    [
        ("properties", {"name": {"type": "string"}}, "Tool/"),
        ("required", ["inputSchema"], "Tool: required"),
        ("type", ["object", "null"], "Tool: types"),
        ("additionalProperties", {"type": "string"}, "Tool/*: types"),
    ],
)
def test_a_schema_that_says_anything_else_is_told_apart(path: str, change: Json, said: str) -> None:
    revision = REVISIONS[-2]
    definitions = official(revision)[1]
    schema = definitions["Tool"]
    assert isinstance(schema, dict)
    found = Comparison(definitions, definitions).differences(
        schema, {**schema, path: change}, "Tool"
    )
    assert any(each.startswith(said) for each in found)


ROUNDS = 5
"""Random values of each type, each of them also spoiled once and twice, six times."""


def random_values(values: Values, schema: Json) -> Iterator[Json]:
    for _ in range(ROUNDS):
        made = values.value(schema)
        yield made
        for _ in range(3):
            once = values.spoiled(made)
            yield once
            yield values.spoiled(once)


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_checker_judges_random_near_misses_as_the_official_schema(revision: Revision) -> None:
    definitions = official(revision)[1]
    values = Values(definitions, random.Random(f"types of {revision}"))
    checker = ShapeChecker(revision)
    for name, schema in definitions.items():
        for value in (*random_values(values, schema), values.near(), values.anything()):
            raw = json.dumps(value)
            wanted = official_validator(name, revision).is_valid(value)
            assert (checker.check(name, raw.encode()) == []) == wanted, f"{name}: {raw[:500]}"


def whole_messages(revision: Revision) -> Iterator[tuple[MessageKind, str, JsonObject]]:
    """Kind, method and official schema of every whole message of `revision`."""
    definitions = official(revision)[1]
    apart = revision <= REVISIONS[2]  # the envelope and the method's own type
    for name, schema in definitions.items():
        assert isinstance(schema, dict)
        members = schema.get("properties")
        method = members.get("method") if isinstance(members, dict) else None
        if not isinstance(method, dict) or "const" not in method:
            continue
        asks = name.endswith("Request")
        own = reference(name, revision)
        envelope = reference("JSONRPCRequest" if asks else "JSONRPCNotification", revision)
        kind = MessageKind.REQUEST if asks else MessageKind.NOTIFICATION
        yield kind, str(method["const"]), {"allOf": [envelope, own]} if apart else own
        result = name.removesuffix("Request") + "Result"
        if asks and revision is not REVISIONS[-1] and result != "CallToolResult":
            answer = "JSONRPCResponse" if apart else "JSONRPCResultResponse"
            body = reference(result if result in definitions else "EmptyResult", revision)
            inner: JsonObject = {
                "type": "object",
                "properties": {"result": body},
                "required": ["result"],
            }
            parts: list[Json] = [reference(answer, revision), inner]
            yield MessageKind.RESULT, str(method["const"]), {"allOf": parts}
    yield (
        MessageKind.ERROR,
        "",
        reference("JSONRPCError" if apart else "JSONRPCErrorResponse", revision),
    )
    yield MessageKind.BATCH, "", reference("JSONRPCMessage", revision)


@pytest.mark.parametrize("revision", REVISIONS)
def test_whole_messages_are_judged_with_their_envelope_as_officially(revision: Revision) -> None:
    values = Values(official(revision)[1], random.Random(f"messages of {revision}"))
    checker = ShapeChecker(revision)
    for kind, method, schema in whole_messages(revision):
        validator = validator_of(schema, revision)
        for value in random_values(values, schema):
            raw = json.dumps(value)
            found = checker.check_message(kind, method, raw.encode())
            wanted = validator.is_valid(value)
            assert (found == []) == wanted, f"{kind.name} {method} is {wanted}: {raw[:500]}"
