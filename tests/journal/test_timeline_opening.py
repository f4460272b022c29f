"""How connections were opened, told from what crossed the wire."""

from inspector.journal.entries import Direction, Flag
from inspector.journal.timeline_values import Phase
from inspector.protocol.versions import Era, Revision
from tests.journal.conversation import Conversation, notification, request, result
from tests.journal.told import asked, error, modern, shaken, told


def test_the_phases_of_a_handshake_follow_its_messages() -> None:
    talk = shaken(tools={})
    phases = [told(talk, number).phase for number in range(1, len(talk.journal) + 1)]
    assert phases == [Phase.CONNECTING, Phase.NEGOTIATING, Phase.NEGOTIATING, Phase.READY]
    seen = told(talk).opening
    assert (seen.era, seen.revision) == (Era.HANDSHAKE, Revision.V2025_11_25)
    assert seen.why == "Offered 2025-11-25; the server agreed."
    assert (seen.capabilities, seen.client_capabilities) == ({"tools": {}}, {"roots": {}})
    assert seen.server_info == {"name": "scripted"}


def test_an_older_answer_says_so() -> None:
    seen = told(shaken("2024-11-05")).opening
    assert seen.revision is Revision.V2024_11_05
    assert "the server answered 2024-11-05, an older one that we speak too" in seen.why


def test_an_unknown_revision_fails_the_connection() -> None:
    seen = told(shaken("1999-01-01"))
    assert (seen.phase, seen.opening.revision) == (Phase.FAILED, None)
    assert "1999-01-01" in seen.error


def test_a_second_try_after_a_refusal_is_told() -> None:
    talk = Conversation()
    talk.sent(request(1, "initialize", protocolVersion="2025-11-25"))
    talk.received(error(1, -32602, {"supported": ["2024-11-05", "2025-03-26", "x"]}))
    assert told(talk).phase is Phase.FAILED
    talk.sent(request(2, "initialize", protocolVersion="2025-03-26"))
    talk.received(result(2, protocolVersion="2025-03-26"))
    talk.sent(notification("notifications/initialized"))
    seen = told(talk)
    assert seen.phase is Phase.READY
    why = "The server refused 2025-11-25 and named 2025-03-26; the server agreed."
    assert seen.opening.why == why


def test_discovery_opens_the_modern_era() -> None:
    seen = told(modern(tools={}))
    assert (seen.phase, seen.opening.era) == (Phase.READY, Era.MODERN)
    assert seen.opening.revision is Revision.V2026_07_28
    assert seen.opening.client_capabilities == {"elicitation": {}}
    assert seen.lists["prompts"].state == "unsupported"
    assert seen.lists["tools"].state == "unknown"


def test_a_refused_probe_leads_to_the_handshake_and_stays_in_the_story() -> None:
    talk = Conversation()
    talk.frame(Direction.SENT, asked(1, "server/discover"), flags=Flag.PROBE)
    talk.received(error(1, -32601))
    assert told(talk).phase is Phase.NEGOTIATING
    talk.sent(request(2, "initialize", protocolVersion="2025-11-25"))
    talk.received(result(2, protocolVersion="2025-11-25"))
    talk.sent(notification("notifications/initialized"))
    assert told(talk).opening.why == (
        "The probe by server/discover was answered -32601 (method not found). "
        "Offered 2025-11-25; the server agreed."
    )


def test_a_pinned_era_without_discovery_is_guessed_where_initialize_is_refused_too() -> None:
    talk = Conversation()
    talk.sent(asked(1, "server/discover"))
    talk.received(error(1, -32601))
    talk.frame(Direction.SENT, request(2, "initialize"), flags=Flag.PROBE)
    refused = talk.received(error(2, -32601))
    seen = told(talk)
    assert seen.phase is Phase.READY
    assert seen.opening.why.startswith("Pinned to 2026-07-28; the server has no server/discover")
    assert told(talk, refused - 1).phase is Phase.NEGOTIATING


def test_a_probe_that_is_taken_says_what_the_server_speaks() -> None:
    talk = Conversation()
    talk.sent(asked(1, "server/discover"))
    talk.received(error(1, -32601))
    talk.frame(Direction.SENT, request(2, "initialize"), flags=Flag.PROBE)
    talk.received(result(2, protocolVersion="2025-06-18"))
    seen = told(talk)
    assert (seen.phase, seen.error) == (Phase.FAILED, "the server speaks 2025-06-18")


def test_discovery_in_an_open_session_changes_nothing() -> None:
    talk = modern(tools={})
    before = told(talk).opening
    talk.sent(asked(9, "server/discover"))
    talk.received(error(9, -32601))
    assert told(talk).opening == before
    assert told(talk).phase is Phase.READY


def test_what_is_answered_first_counts_where_both_eras_were_asked() -> None:
    talk = Conversation()
    talk.frame(Direction.SENT, asked(1, "server/discover"), flags=Flag.PROBE)
    talk.sent(request(2, "initialize", protocolVersion="2025-11-25"))
    both = told(talk)
    assert (both.phase, len(both.open)) == (Phase.NEGOTIATING, 2)
    talk.received(result(1, supportedVersions=["2026-07-28"], capabilities={}))
    seen = told(talk)
    assert (seen.phase, seen.opening.revision) == (Phase.READY, Revision.V2026_07_28)
    assert "which took long" in seen.opening.why


def test_an_initialize_that_is_sent_again_is_not_waited_for_any_more() -> None:
    talk = Conversation()
    talk.sent(request(1, "initialize", protocolVersion="2025-11-25"))
    again = talk.sent(request(1, "initialize", protocolVersion="2025-11-25"))
    assert [one.number for one in told(talk).open] == [again]
