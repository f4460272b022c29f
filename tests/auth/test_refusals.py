"""What is said where a flow stands still."""

import pytest

from inspector.auth.authorize import Denied, WrongServer
from inspector.auth.exchange import ErrorAnswer, Step
from inspector.auth.policy import Refused
from inspector.auth.refusals import (
    no_resource_metadata,
    of_error,
    redirect_refused,
    registration_refused,
    token_refused,
    unreachable,
    url_refused,
)
from inspector.errors import InspectorError, UsageError
from inspector.protocol.versions import Revision

ESCAPE = "\x1b]0;evil\x07"


def test_what_the_network_says_is_shown_in_ascii_and_cut() -> None:
    said = ESCAPE + "x" * 5000
    words = (
        token_refused(ErrorAnswer(400, "invalid_grant", said)),
        registration_refused(ErrorAnswer(400, "e", said)),
        redirect_refused(Denied(said, said)),
        url_refused(said, Refused("it is too long", "our limit")),
        unreachable(Step.CODE, said, "timed out"),
    )
    for stopped in words:
        assert "\x1b" not in stopped.message
        assert "evil" in stopped.message
        assert len(stopped.message) < 700


@pytest.mark.parametrize(
    ("answer", "kind", "expected"),
    [
        (ErrorAnswer(400, "invalid_grant", "too late"), "token-refused", "too late"),
        (ErrorAnswer(401, "invalid_client"), "token-refused", "invalid_client"),
        (ErrorAnswer(503, reason="HTTP 503"), "server-trouble", "503"),
        (ErrorAnswer(429, "slow_down"), "server-trouble", "slow_down"),
        (ErrorAnswer(200, reason="the answer holds no access_token"), "token-refused", "holds no"),
    ],
)
def test_a_refused_token_tells_trouble_from_a_no(
    answer: ErrorAnswer, kind: str, expected: str
) -> None:
    stopped = token_refused(answer)
    assert stopped.kind == kind
    assert expected in stopped.message
    assert stopped.hint


def test_trouble_names_its_status_once() -> None:
    reason = "HTTP 500, and no OAuth error: it is no JSON: it is empty"
    assert token_refused(ErrorAnswer(500, reason=reason)).message.count("HTTP 500") == 1
    assert "HTTP 500" in token_refused(ErrorAnswer(500, "server_error")).message


def test_silence_is_told_in_one_breath() -> None:
    message = unreachable(Step.REFRESH, "https://auth.example/token", "it reset").message
    assert message == (
        "no answer to the token request with a refresh token at 'https://auth.example/token': it"
        " reset"
    )
    message = unreachable(Step.SERVER_METADATA, "https://auth.example/x", "it reset").message
    assert message.startswith("no answer to the request for authorization server metadata at")


def test_a_redirect_from_another_server_names_nothing_of_it() -> None:
    stopped = redirect_refused(WrongServer("it was issued by another server"))
    assert stopped.remarks[0].source == "RFC 9207 section 2.4"


@pytest.mark.parametrize(("error", "fault"), [("access_denied", "you"), ("server_error", "server")])
def test_only_a_denied_access_is_the_users_no(error: str, fault: str) -> None:
    assert redirect_refused(Denied(error)).fault == fault


def test_the_way_to_2025_03_26_is_hinted_at_where_it_is_not_taken_yet() -> None:
    assert "2025-03-26" in no_resource_metadata(["a"], Revision.V2025_11_25).hint
    assert "2025-03-26" not in no_resource_metadata(["a"], Revision.V2025_03_26).hint


def test_an_error_of_ours_keeps_its_words() -> None:
    stopped = of_error(UsageError("no such key", hint="name one"))
    assert (stopped.kind, stopped.message, stopped.hint) == ("usage", "no such key", "name one")
    assert of_error(InspectorError("x", fault="network")).fault == "network"


def test_a_private_address_has_a_way_out() -> None:
    assert url_refused("https://10.0.0.5/", Refused("private", "RFC 9728 section 7.7")).hint
    assert not url_refused("x:", Refused("scheme", "RFC 3986")).hint
