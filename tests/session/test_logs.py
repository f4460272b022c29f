"""Log notifications are references: level and logger now, the data when somebody looks."""

import pytest

from inspector.session.changes import Changes
from inspector.session.logs import BOUND, LogLine, Logs, level_after

HEAD = b'{"jsonrpc":"2.0","method":"notifications/message","params":'


def test_level_and_logger_are_read_and_the_data_is_not() -> None:
    changes = Changes()
    logs = Logs(changes)
    logs.add(7, HEAD + b'{"level":"error","logger":"db","data":{"big":1e400}}}')
    assert logs.lines == (LogLine(7, "error", "db"),)
    assert changes["logs"] == 1


@pytest.mark.parametrize("params", [b"{}", b"[]", b'{"level":3}', b'{"logger":null}', b"nonsense"])
def test_an_unreadable_notification_is_kept_without_a_level(params: bytes) -> None:
    logs = Logs(Changes())
    logs.add(1, HEAD + params + b"}")
    assert logs.lines == (LogLine(1, "", ""),)


@pytest.mark.parametrize("logger", [b"null", b"7", b'{"a":[1]}'])
def test_a_logger_that_is_no_name_costs_the_level_nothing(logger: bytes) -> None:
    logs = Logs(Changes())
    logs.add(1, HEAD + b'{"level":"error","logger":%b,"data":1}}' % logger)
    assert logs.lines == (LogLine(1, "error", ""),)


def test_the_oldest_references_go_first() -> None:
    logs = Logs(Changes())
    for number in range(2 * BOUND + 1):
        logs.add(number, HEAD + b'{"level":"info"}}')
    assert logs.total == 2 * BOUND + 1
    assert len(logs.lines) == BOUND
    assert logs.lines[-1].entry == 2 * BOUND


def test_the_level_goes_up_and_starts_again_or_off() -> None:
    assert level_after(None, off=True) == "debug"
    assert level_after("debug", off=False) == "info"
    assert level_after("emergency", off=False) == "debug"
    assert level_after("emergency", off=True) is None
    assert level_after("strange", off=False) == "debug"
