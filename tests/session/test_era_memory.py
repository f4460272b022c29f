"""What is remembered of a server's era, for which server, and when it is not believed."""

import pytest

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed
from inspector.protocol.versions import Era
from inspector.session.era_memory import EraMemory, assumption_failed
from inspector.session.state import Phase, SessionState


def test_an_era_is_known_by_process_or_origin() -> None:
    memory = EraMemory()
    memory.keep(Target(url="https://a.test/mcp"), Era.MODERN)
    memory.keep(Target(command=("server", "x")), Era.HANDSHAKE)
    same = memory.of(Target(url="https://a.test/other"))
    assert same is not None
    assert same.era is Era.MODERN
    assert "modern era" in same.story
    assert memory.of(Target(url="https://a.test:8443/mcp")) is None
    assert memory.of(Target(url="http://a.test/mcp")) is None
    assert memory.of(Target(command=("server",))) is None
    assert memory.of(Target(command=("server", "x"))) is not None


def test_a_story_stays_until_the_era_changes_or_is_forgotten() -> None:
    memory, target = EraMemory(), Target(command=("server",))
    memory.keep(target, Era.HANDSHAKE, "it died; ")
    memory.keep(target, Era.HANDSHAKE)
    known = memory.of(target)
    assert known is not None
    assert known.story == "it died; "
    memory.keep(target, Era.MODERN)
    known = memory.of(target)
    assert known is not None
    assert known.story != "it died; "
    memory.forget(target)
    assert memory.of(target) is None


@pytest.mark.parametrize(
    ("kind", "failed"), [("version", True), ("exited", True), ("refused", False), ("auth", False)]
)
def test_only_what_the_server_said_itself_disproves_an_era(kind: str, failed: bool) -> None:
    error = ConnectionFailed("no", kind=kind)
    state = SessionState(phase=Phase.FAILED, error=error, offered="2026-07-28")
    assert assumption_failed(state) is failed
    assert not assumption_failed(SessionState(phase=Phase.FAILED, error=error))
    assert not assumption_failed(SessionState(phase=Phase.READY, offered="2026-07-28"))
