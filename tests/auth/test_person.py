"""Where nobody can be asked."""

import pytest

from inspector.auth.person import Nobody
from inspector.auth.scopes import StepUp
from inspector.errors import ConnectionFailed

URL = "https://mcp.example.com/mcp"


async def test_nobody_answers_nothing_and_says_what_to_do_instead() -> None:
    nobody = Nobody(URL)
    with pytest.raises(ConnectionFailed) as refused:
        nobody.consent()
    errors = [refused.value]
    for asking in (
        nobody.choose_server(("a", "b")),
        nobody.allow_issuer("a", "a/"),
        nobody.name_client("a", "it registers none"),
        nobody.confirm_scopes(StepUp(("a", "b"), ("b",), 1)),
    ):
        with pytest.raises(ConnectionFailed) as refused:
            await asking
        errors.append(refused.value)
    assert {(error.kind, error.fault) for error in errors} == {("auth", "you")}
    hints = [f"log in first: mcp-inspect login {URL}"] * 4
    assert [error.hint for error in errors] == [*hints, f"{hints[0]} --scope 'a b'"]
    assert len({error.message for error in errors}) == 5
