"""The shape table against the official schemas: on one corpus, for every type and revision, the
verdicts are the same."""

import json
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import pytest
from jsonschema_rs import Validator, validator_for

from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.shapes import TYPES, schema_for, type_in
from inspector.protocol.versions import REVISIONS, Revision
from tests.protocol.schema_corpus import samples, spoiled

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
    word, definitions = official(revision)
    document = json.loads((SCHEMAS / f"{revision}.json").read_text())
    schema = {"$schema": document["$schema"], "$ref": f"#/{word}/{name}", word: definitions}
    return validator_for(schema, validate_formats=False)


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
