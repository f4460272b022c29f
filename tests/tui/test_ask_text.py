"""What an ask says, and that a hostile one only says it."""

import time
from dataclasses import replace

import pytest

from inspector.protocol.messages import JsonObject
from inspector.render.safe import DANGEROUS
from inspector.session.asks import Ask, AskKind, CauseFrom
from inspector.tui import ask_text
from tests.session.scene import notification, ready, request
from tests.session.test_modern import opened

HOSTILE = "a\x1b]52;c;aGk=\x07b\u202ec[bold]d[/bold]"


def _ask(kind: AskKind, **params: object) -> Ask:
    body: JsonObject = {}
    body.update(params)  # type: ignore[arg-type]
    return Ask(
        number=1,
        kind=kind,
        method="x",
        params=body,
        request_id=1,
        entry=5,
        cause=None,
        opened=time.monotonic(),
    )


def test_sampling_shows_system_prompt_messages_and_every_other_member() -> None:
    ask = _ask(
        "sampling",
        systemPrompt="be brief",
        messages=[
            {"role": "user", "content": {"type": "text", "text": "hello there"}},
            {
                "role": "assistant",
                "content": [{"type": "image", "data": "AAAA", "mimeType": "x/y"}],
            },
        ],
        maxTokens=77,
        modelPreferences={"hints": [{"name": "claude"}]},
    )
    shown = ask_text.question(ask).plain
    for words in ("be brief", "user", "hello there", "[image x/y", "maxTokens  77", '"claude"'):
        assert words in shown
    assert ask_text.gist(ask) == "hello there"


def test_a_page_shows_its_whole_url_and_host_and_warns() -> None:
    url = "https://xn--pple-43d.com/" + "a" * 300
    shown = ask_text.question(_ask("elicitation-url", message="log in", url=url)).plain
    assert url in shown
    assert "host  xn--pple-43d.com" in shown
    assert "other letters" in shown


def test_a_page_that_may_not_be_opened_says_why() -> None:
    shown = ask_text.question(_ask("elicitation-url", message="m", url="javascript:alert(1)")).plain
    assert "cannot be opened" in shown
    assert "javascript:alert(1)" in shown


def test_a_page_out_of_an_error_says_that_the_call_has_to_be_made_again() -> None:
    """2025-11-25 client/elicitation: -32042, consent, then retry."""
    asked = _ask("elicitation-url", message="m", url="https://x.test")
    assert "call again" not in ask_text.question(asked).plain
    assert "call again" in ask_text.question(replace(asked, request_id=None)).plain


async def test_the_end_of_a_page_that_the_server_reports_is_shown() -> None:
    """2025-11-25 client/elicitation: notifications/elicitation/complete."""
    async with ready() as s:
        s.server(request(1, "elicitation/create", mode="url", url="https://x.test", message="m"))
        waiting = ask_text.heading(s.session.inbox.asks[0], s.session).plain
        assert "reports it complete" not in waiting
        elicitation = {"url": "https://x.test", "message": "m", "elicitationId": "e"}
        s.server(request(2, "elicitation/create", mode="url", **elicitation))
        s.server(notification("notifications/elicitation/complete", elicitationId="e"))
        first, second = s.session.inbox.asks
        assert "reports it complete" not in ask_text.heading(first, s.session).plain
        assert "reports it complete" in ask_text.heading(second, s.session).plain


def test_tool_results_out_of_balance_are_told_with_the_question() -> None:
    """2025-11-25 client/sampling: each tool use has its result in the next message."""
    use = {"type": "tool_use", "id": "a", "name": "t", "input": {}}
    shown = ask_text.question(_ask("sampling", messages=[{"role": "assistant", "content": use}]))
    assert shown.plain.startswith("! tool use 'a' has no result")


@pytest.mark.parametrize("kind", ["sampling", "elicitation", "elicitation-url", "roots"])
def test_hostile_text_is_visible_and_harmless(kind: AskKind) -> None:
    ask = _ask(
        kind,
        message=HOSTILE,
        url=HOSTILE,
        systemPrompt=HOSTILE,
        messages=[{"role": HOSTILE, "content": {"type": HOSTILE, "text": HOSTILE}}],
        **{HOSTILE: HOSTILE},
    )
    for text in (ask_text.question(ask), ask_text.list_line(ask, 80, time.monotonic())):
        assert not DANGEROUS.search(text.plain.replace("\n", ""))
    if kind != "roots":
        assert "[bold]d[/bold]" in ask_text.question(ask).plain


def test_a_giant_question_is_cut_and_says_so() -> None:
    shown = ask_text.question(_ask("elicitation", message="x" * 100_000)).plain
    assert len(shown) < 25_000
    assert "80,000 characters more" in shown


async def test_every_way_to_know_the_cause_of_an_ask_has_its_words() -> None:
    async with ready() as s:
        call, _ = await s.call()
        ways: tuple[CauseFrom, ...] = ("task", "stream", "only-call", "error", "result")
        shown = {
            ask_text.heading(
                replace(_ask("sampling"), cause=call.number, cause_from=way), s.session
            ).plain
            for way in ways
        }
        assert len(shown) == len(ways)


def test_a_question_in_a_result_is_owed_an_answer() -> None:
    """2026-07-28 basic/patterns/mrtr: no request, and yet an answer goes out."""
    page = _ask("elicitation-url", message="m", url="https://x.test")
    inside = replace(page, request_id=None, cause_from="result")
    assert inside.owed
    assert "call again" not in ask_text.question(inside).plain


def test_a_next_request_shows_every_member_and_marks_the_servers_own() -> None:
    raw = (
        b'{"name":"plan","arguments":{"n":1.10},"inputResponses":{"who":{"action":"cancel"}},'
        b'"requestState":"\\u0041b"}'
    )
    ask = replace(_ask("round"), method="tools/call", request_id=None, raw=raw, round=2)
    shown = ask_text.question(ask).plain.splitlines()
    assert shown[0] == "tools/call is sent with this, once you accept."
    assert shown[2:] == [
        'name            "plan"',
        'arguments       {"n":1.10}',
        "inputResponses  the answers",
        '  who  {"action":"cancel"}',
        "requestState    the server's own, 9 bytes, goes back as it is",
        '  "\\u0041b"',
    ]
    assert ask_text.gist(ask) == "tools/call, round 2"


def test_a_next_request_without_answers_and_state_says_so() -> None:
    shown = ask_text.question(
        replace(_ask("round"), raw=b'{"name":"x"}', state="answered", round=1)
    ).plain
    assert "inputResponses  none\nrequestState    none" in shown
    assert "once you accept" not in shown


def test_a_hostile_state_stays_text() -> None:
    text = "a\x9b2J\u202eb[bold]d[/bold]".encode()
    raw = b'{"requestState":"' + text + b'","' + text + b'":1}'
    shown = ask_text.question(replace(_ask("round"), raw=raw)).plain
    assert not DANGEROUS.search(shown.replace("\n", ""))
    assert "[bold]d[/bold]" in shown


def test_questions_of_a_round_are_counted_and_one_alone_is_not() -> None:
    first = replace(_ask("elicitation"), key="a", entry=5, round=2)
    asks = [replace(first, state="answered"), first, replace(first, key="c")]
    other = replace(asks[0], entry=6)
    assert ask_text.round_words(asks[1], [*asks, other]) == "1 of 3 answered in round 2"
    assert ask_text.round_words(other, [*asks, other]) == "round 2"
    assert ask_text.round_words(_ask("sampling"), asks) == ""


def test_a_no_that_ends_the_call_says_so() -> None:
    """2026-07-28 basic/patterns/mrtr: sampling and roots have no answer that says no."""
    roots = replace(_ask("roots"), request_id=None, cause_from="result")
    assert "Declining ends the call" in ask_text.question(roots).plain
    assert "Declining" not in ask_text.question(_ask("roots")).plain


def test_a_context_that_servers_should_ask_for_no_more_is_marked() -> None:
    asked = ask_text.question(_ask("sampling", messages=[], includeContext="allServers")).plain
    assert "includeContext  allServers  deprecated since 2025-11-25" in asked
    assert "deprecated" not in ask_text.question(_ask("sampling", includeContext="none")).plain
    assert "deprecated" not in ask_text.question(_ask("sampling", maxTokens="allServers")).plain


async def test_what_the_modern_era_deprecates_is_marked_in_the_heading() -> None:
    async with opened() as s:
        assert "deprecated" in ask_text.heading(_ask("sampling"), s.session).plain
        assert "deprecated" in ask_text.heading(_ask("roots"), s.session).plain
        assert "deprecated" not in ask_text.heading(_ask("elicitation"), s.session).plain
    async with ready() as s:
        assert "deprecated" not in ask_text.heading(_ask("sampling"), s.session).plain
