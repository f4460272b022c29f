"""What login prints: each step once, whatever a server says as visible text, never a secret."""

import json

import pytest

from inspector.auth.actions import Stage, StepRecord
from inspector.auth.remarks import note, refusal, warning
from inspector.auth.situation import AuthState
from inspector.cli.authorizing import StepPrinter, as_json, drawn, step_lines
from inspector.cli.output import Output, Paper
from inspector.protocol.messages import encode_json

FOUND = StepRecord(
    Stage.RESOURCE,
    "done",
    "https://h/.well-known/oauth-protected-resource",
    "RFC 9728 section 3.1",
    (("found at", "https://h/.well-known/oauth-protected-resource"), ("resource", "https://h")),
    (note("resource-parent", "it is about more", "RFC 9728 section 3.3"),),
)
REFUSED = StepRecord(
    Stage.SERVER,
    "failed",
    "https://a/metadata",
    remarks=(
        refusal("issuer-differs", "it calls itself \x1b]0;evil\x07", "RFC 8414 section 3.3"),
        warning("pkce-unknown", "[red]it does not say[/red]", "OAuth 2.1"),
    ),
)


def printed(step: StepRecord) -> str:
    paper = Paper(is_terminal=False)
    return "".join(paper.print(part) for part in step_lines(step))


def test_a_step_says_where_it_asked_and_what_it_found() -> None:
    assert printed(FOUND) == (
        "done  protected resource metadata\n"
        "  found at                 https://h/.well-known/oauth-protected-resource\n"
        "  resource                 https://h\n"
        "  - it is about more (RFC 9728 section 3.3)\n"
    )


def test_what_a_server_says_is_visible_text_without_markup() -> None:
    text = printed(REFUSED)
    assert "  asked                    https://a/metadata\n" in text
    assert "  x it calls itself ␛]0;evil␇ (RFC 8414 section 3.3)\n" in text
    assert "  ! [red]it does not say[/red] (OAuth 2.1)\n" in text


def test_each_step_is_printed_once_when_it_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    printer = StepPrinter(Output())
    running = StepRecord(Stage.SERVER, "running", "https://a")
    for steps in ((FOUND,), (FOUND, running), (FOUND, running), (FOUND, REFUSED)):
        printer.look(AuthState(steps=steps))
    shown = capsys.readouterr()
    assert shown.out == ""
    titles = [line for line in shown.err.splitlines() if not line.startswith(" ")]
    assert titles == [
        "done  protected resource metadata",
        "failed  authorization server metadata",
    ]


def test_with_json_no_step_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    StepPrinter(Output(as_json=True)).look(AuthState(steps=(FOUND,)))
    assert capsys.readouterr().err == ""


def test_the_end_names_server_and_facts() -> None:
    state = AuthState("authorized", facts=(("issuer", "https://a"), ("kept in", "your keyring")))
    paper = Paper(is_terminal=False)
    assert "".join(paper.print(part) for part in drawn("https://h", state)) == (
        "authorized at https://h\n"
        "  issuer                   https://a\n"
        "  kept in                  your keyring\n"
    )


def test_json_has_steps_with_rules_and_sources() -> None:
    step = StepRecord(Stage.TOKEN, "done", found=(("token type", "a"), ("token type", "b")))
    state = AuthState("authorized", (FOUND, step), facts=(("kept in", "memory only"),))
    document = json.loads(encode_json(as_json("https://h", state)))
    assert (document["authorized"], document["facts"]) == (True, {"kept_in": "memory only"})
    assert document["steps"][0]["remarks"] == [
        {
            "weight": "note",
            "rule": "resource-parent",
            "message": "it is about more",
            "source": "RFC 9728 section 3.3",
        }
    ]
    assert document["steps"][1]["found"] == {"token_type": "a; b"}
    assert as_json("https://h", AuthState())["authorized"] is False
