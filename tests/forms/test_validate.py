"""Verdicts from the validator process."""

import asyncio
import socket
from collections.abc import Iterator

import pytest

from inspector.forms.jsontext import dump
from inspector.forms.problems import NotValidated, Problem
from inspector.forms.validate import Validator, validate
from inspector.protocol.messages import Json, JsonObject, RawJson, Sendable
from tests.hostile.bombs import aimed, small


@pytest.fixture
def validator() -> Iterator[Validator]:
    made = Validator()
    yield made
    made.close()


def bomb() -> Json:
    defs: JsonObject = {
        f"d{level}": {"allOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 2} for level in range(40)
    }
    defs["d40"] = {"type": "integer"}
    return {"$ref": "#/$defs/d0", "$defs": defs}


async def test_problems_come_with_pointers(validator: Validator) -> None:
    schema: Json = {"properties": {"a/b": {"type": "integer"}}, "required": ["c"]}
    found = await validator.validate(schema, {"a/b": "x"})
    assert isinstance(found, list)
    assert sorted(one.pointer for one in found) == ["/a~1b", "/c"]


async def test_numbers_are_judged_as_they_are_spelt(validator: Validator) -> None:
    schema: Json = {"type": "integer", "maximum": 2**63}
    assert await validator.validate(schema, RawJson(b"1.0")) == []
    found = await validator.validate(schema, 2**70)
    assert isinstance(found, list)
    assert "greater than the maximum" in found[0].message


async def test_one_process_serves_many_schemas_and_starts_when_asked(validator: Validator) -> None:
    assert validator.started == 0
    for number in range(20):
        schema: Json = {"const": number}
        assert await validator.validate(schema, number) == []
        assert await validator.validate({"const": 0}, 0) == []
    assert validator.started == 1


async def test_a_schema_that_thinks_too_long_is_killed_and_the_next_one_is_served() -> None:
    validator = Validator(deadline=0.2)
    try:
        answer = await validator.validate(bomb(), 1)
        assert isinstance(answer, NotValidated)
        assert "took too long" in answer.reason
        assert await validator.validate({"type": "integer"}, "x") != []
        assert validator.started == 2
    finally:
        validator.close()


async def test_a_regular_expression_that_backtracks_is_no_danger(validator: Validator) -> None:
    answer = await validator.validate({"pattern": "^(a+)+$"}, "a" * 60 + "b")
    assert isinstance(answer, list | NotValidated)
    assert validator.started == 1


async def test_the_loop_runs_on_while_a_schema_thinks() -> None:
    validator = Validator(deadline=0.5)
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            beats += 1
            await asyncio.sleep(0.001)

    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(beat())
            await validator.validate(bomb(), 1)
            task.cancel()
    finally:
        validator.close()
    assert beats > 10


async def test_nothing_is_fetched(validator: Validator) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        port = server.getsockname()[1]
        answer = await validator.validate({"$ref": f"http://127.0.0.1:{port}/schema"}, 1)
        assert isinstance(answer, NotValidated)
        with pytest.raises(TimeoutError):
            server.accept()


async def test_an_unsupported_dialect_is_no_verdict(validator: Validator) -> None:
    answer = await validator.validate({"$schema": "urn:other"}, 1)
    assert answer == NotValidated("the schema's dialect urn:other is not supported")


async def test_something_huge_is_not_even_asked(validator: Validator) -> None:
    answer = await validator.validate({"const": "x" * (17 << 20)}, 1)
    assert answer == NotValidated("too large to be validated")
    assert validator.started == 0


async def test_memory_is_capped(validator: Validator) -> None:
    wide: Json = {"enum": [[index] for index in range(1_200_000)]}
    answer = await validator.validate(wide, 0)
    assert isinstance(answer, list | NotValidated)
    assert await validator.validate(True, 0) == []


async def test_many_askers_share_the_common_process() -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(validate({"type": "string"}, 1)) for _ in range(10)]
    expected = [Problem("", '1 is not of type "string"')]
    assert [task.result() for task in tasks] == [expected] * 10


async def test_a_schema_is_written_once_however_often_it_is_asked(
    validator: Validator, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[object] = []

    def counted(value: Sendable, indent: int = 0) -> str:
        written.append(value)
        return dump(value, indent)

    monkeypatch.setattr("inspector.forms.validate.dump", counted)
    schema: Json = {"type": "string"}
    for number in range(5):
        await validator.validate(schema, number)
    assert written == [schema, 0, 1, 2, 3, 4]


async def test_texts_of_any_characters_arrive_as_they_are(validator: Validator) -> None:
    for text in ("ключ\n", "\ud800", "\x00", '"}\n{"', ""):
        answer = await validator.validate({"const": "other"}, text)
        assert answer != []
        assert isinstance(answer, list) or "surrogate" in answer.reason
    assert await validator.validate({"title": "ключ\n", "const": "ü"}, "ü") == []


async def test_something_of_many_parts_is_not_even_written(validator: Validator) -> None:
    part: Json = [0] * 1000
    for _ in range(4):
        part = [part] * 100
    assert await validator.validate(part, 1) == NotValidated("too large to be validated")
    assert await validator.validate({}, part) == NotValidated("too large to be validated")
    assert validator.started == 0


def test_no_schema_is_more_than_a_killed_process_and_none_opens_a_socket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All that is dangerous though short, with its addresses leading to a server that counts."""

    def refuse(*_: object) -> None:
        raise AssertionError("a schema opens a connection")

    validator, killed = Validator(deadline=0.5), 0
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        monkeypatch.setattr(socket.socket, "connect", refuse)
        try:
            for bomb in small():
                before = validator.started
                answer = validator.verdict(aimed(bomb.schema, port), bomb.value)
                assert isinstance(answer, list | NotValidated), bomb.name
                if bomb.name.startswith("remote") and "$recursiveRef" not in bomb.name:
                    assert isinstance(answer, NotValidated), bomb.name
                killed += validator.started - before
            assert validator.verdict({"type": "integer"}, "x") != []
            assert killed < 20
        finally:
            validator.close()
        server.settimeout(0)
        with pytest.raises(BlockingIOError):
            server.accept()
