"""Names of error codes."""

import pytest

from inspector.protocol import codes


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (codes.METHOD_NOT_FOUND, "method not found"),
        (codes.RESOURCE_NOT_FOUND, "resource not found"),
        (codes.UNSUPPORTED_PROTOCOL_VERSION, "unsupported protocol version"),
        (codes.USER_REJECTED, "rejected by the user"),
        (-32001, "server-defined error"),
        (-32050, "server-defined error"),
        (-32500, "reserved by JSON-RPC"),
        (404, ""),
        (2**70, ""),
    ],
)
def test_a_code_is_named_where_it_has_a_meaning(code: int, name: str) -> None:
    assert codes.name_of(code) == name


def test_modern_errors_are_those_that_end_the_search_for_the_era() -> None:
    assert {-32020, -32021, -32022} == codes.MODERN_ERRORS
