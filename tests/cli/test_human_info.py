"""What `info` tells people of a session."""

from inspector.cli import human_info
from inspector.protocol.messages import Json
from inspector.protocol.versions import Revision
from inspector.session.freshness import Freshness
from inspector.session.state import SessionState
from tests.cli.test_human import drawn


def test_an_empty_session_can_be_described() -> None:
    assert "nothing declared" in drawn(list(human_info.info(SessionState())))


def test_capabilities_name_their_switches() -> None:
    state = SessionState(
        capabilities={"tools": {"listChanged": True, "x": False}, "odd": 3, "\x1b[2J": {}},
        server_info={"name": "s", "title": "\x1b]0;x\x07", "version": 3},
        instructions="Do\x1b this.",
    )
    shown = drawn(list(human_info.info(state)))
    assert "tools        listChanged" in shown
    assert "\x1b" not in shown
    assert "Do␛ this." in shown


def test_what_a_server_may_declare_and_does_not_is_said() -> None:
    requests: Json = {"tools": {"call": {}}}
    state = SessionState(capabilities={"tools": {}, "tasks": {"list": {}, "requests": requests}})
    shown = drawn(list(human_info.info(state)))
    assert "tools        yes" in shown
    assert "tasks        list, requests.tools.call" in shown
    assert "prompts      no" in shown


def test_the_modern_era_shows_versions_extensions_deprecations_and_caching() -> None:
    state = SessionState(
        revision=Revision.V2026_07_28,
        revision_text="2026-07-28",
        capabilities={
            "logging": {},
            "extensions": {"com.example/a": {"most": 3}, "com.example/b\x1b": {}},
        },
        client_capabilities={"roots": {}, "elicitation": {"form": {}}},
        initialize_raw=b'{"supportedVersions":["2025-11-25","2026-07-28"]}',
        discover_freshness=Freshness(60_000, "public", 1.0),
    )
    shown = drawn(list(human_info.info(state)))
    assert "2026-07-28 (modern era)" in shown
    assert "2025-11-25, 2026-07-28" in shown
    assert 'com.example/a  {"most":3}' in shown
    assert "com.example/b␛" in shown
    assert "fresh for 1 min, public; nothing is cached here" in shown
    deprecated = [line for line in shown.splitlines() if line.endswith("deprecated")]
    assert [("logging" in line, "roots" in line) for line in deprecated] == [
        (True, False),
        (False, True),
    ]


def test_the_handshake_era_deprecates_nothing_and_names_no_cache() -> None:
    state = SessionState(
        revision=Revision.V2025_11_25,
        revision_text="2025-11-25",
        capabilities={"logging": {}},
        client_capabilities={"roots": {}},
    )
    shown = drawn(list(human_info.info(state)))
    assert "2025-11-25 (handshake era)" in shown
    assert "deprecated" not in shown
    assert "cached" not in shown
