"""The rules about what a message's value does not show: names that stand twice, huge numbers."""

from pathlib import Path

import pytest

from tests.lint.bench import Case, ask, back, check, ok, play

PING = ask(1, "ping")
TWICE = b'{"jsonrpc":"2.0","id":1,"result":{"a":{"x":1,"x":2}}}'
HUGE = b'{"jsonrpc":"2.0","id":1,"result":{"a":[0,-1e400]}}'

CASES = (
    Case("rpc/duplicate-names", "D", [PING, back(TWICE)], [PING, ok(1)]),
    Case(
        "rpc/duplicate-names",
        "A",
        [PING, back(TWICE.replace(b":", b" : "))],
        [PING, back(b'{"jsonrpc" : "2.0", "id" : 1, "result" : {"\\"a\\":" : {}}}')],
        name="-spaced",
    ),
    Case("rpc/number-range", "D", [PING, back(HUGE)], [PING, ok(1, a=1e300, b="1e400", c=None)]),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_finds_the_breach_and_nothing_else(case: Case, tmp_path: Path) -> None:
    check(case, tmp_path)


def test_the_place_is_named_and_a_name_is_found_however_it_is_written(tmp_path: Path) -> None:
    written = TWICE.replace(b'"x":2', b'"\\u0078":2')
    case = Case("rpc/duplicate-names", "D", [PING, back(written)], [])
    (found,) = play(case, case.trip, tmp_path / "x.jsonl")
    assert found.pointer == "/result/a/x"


def test_both_are_told_of_one_message_with_what_decoders_cannot_write(tmp_path: Path) -> None:
    raw = b'{"jsonrpc":"2.0","id":1,"result":{"t":"\\ud800","n":1e999,"n":%s}}' % (b"9" * 5000)
    case = Case("rpc/number-range", "D", [PING, back(raw)], [])
    found = {each.rule for each in play(case, case.trip, tmp_path / "x.jsonl")}
    assert "rpc/duplicate-names" in found
