"""Rules of log messages (`server/utilities/logging`)."""

import re
from dataclasses import dataclass, field
from typing import Final

from inspector.lint.look import Look
from inspector.lint.rule import Rule, quoted, rule
from inspector.lint.state import CROSSING, MODERN
from inspector.protocol.messages import MessageKind

_PAGE: Final = "server/utilities/logging"
LEVELS: Final = (
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
)
_SECRET: Final = re.compile(
    rb"\b(?:sk-[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{30,}|AKIA[0-9A-Z]{16}"
    rb"|xox[baprs]-[A-Za-z0-9-]{10,}|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+)"
    rb"|-----BEGIN [A-Z ]*PRIVATE KEY-----"
    rb"|\"(?:password|passwd|client_secret|api_?key|access_token)\"\s*:\s*\"[^\"]{6,}\"",
    re.IGNORECASE,
)
WISHES_KEPT: Final = 1000
_LEVEL_KEY: Final = "io.modelcontextprotocol/logLevel"

RULES: Final[tuple[Rule, ...]] = (
    rule("log/level", "A log message has an unknown level", _PAGE, error="ABCDE"),
    rule("log/below-level", "A log message is below the level asked for", _PAGE, warn="ABCDE"),
    rule("log/unsolicited", "A log message comes unasked", _PAGE, error="E"),
    rule("log/secret-like", "A log message holds what looks like a secret", _PAGE, warn="ABCDE"),
)


@dataclass(slots=True)
class _Kept:
    level: str = ""
    since: float = float("-inf")
    by: int | None = None
    """The exchange that brought the word on the level."""
    wishes: dict[int, str] = field(default_factory=dict)


def shape(look: Look) -> None:
    """The level, before the schema speaks."""
    if look.kind is MessageKind.NOTIFICATION and look.method == "notifications/message":
        level = look.params.get("level")
        if level not in LEVELS:
            look.report(
                "log/level",
                f"The level {quoted(level)} must be one of {', '.join(LEVELS)}.",
                "/params/level",
            )


def note(look: Look) -> None:
    """Remembers which requests want logs, broken ones too."""
    kept = look.state.held(_Kept)
    if look.kind is MessageKind.REQUEST and not look.from_server:
        _wished(look, kept)
    if look.asked is not None:
        kept.wishes.pop(look.asked.number, None)


def check(look: Look) -> None:
    """Judges one message and remembers the level asked for."""
    kept = look.state.held(_Kept)
    if look.method == "notifications/message" and look.from_server:
        _log(look, kept)
    elif look.answers("logging/setLevel") and look.asked is not None:
        kept.level = str(look.asked.params.get("level"))
        kept.since, kept.by = look.at, look.carrier


def _log(look: Look, kept: _Kept) -> None:
    level = look.params.get("level")
    if level not in LEVELS:
        return
    _secret(look)
    wanted = kept.level
    if look.revision is MODERN:
        asked = _wishes(look, kept)
        if not asked:
            look.report(
                "log/unsolicited",
                "No request in flight asked for logs by _meta io.modelcontextprotocol/logLevel; a"
                " server must not send them then.",
                "/method",
            )
            return
        wanted = min(asked, key=LEVELS.index)
    crossed = look.carrier != kept.by and look.at - kept.since < CROSSING
    if wanted in LEVELS and not crossed and LEVELS.index(str(level)) < LEVELS.index(wanted):
        look.report(
            "log/below-level",
            f"The level {quoted(level)} is below {quoted(wanted)}, from which on logs were asked"
            " for.",
            "/params/level",
        )


def _secret(look: Look) -> None:
    if _SECRET.search(look.raw[:1_000_000]):
        look.report(
            "log/secret-like",
            "The log message holds what looks like a secret; logs must not contain credentials.",
            "/params/data",
        )


def _wishes(look: Look, kept: _Kept) -> list[str]:
    """The levels that the requests in flight ask for; of HTTP that of the stream's own request."""
    frame = look.state.https.get(look.carrier) if look.carrier else None
    if frame:
        return [kept.wishes[frame]] if frame in kept.wishes else []
    return [*kept.wishes.values()]


def _wished(look: Look, kept: _Kept) -> None:
    meta = look.params.get("_meta")
    level = meta.get(_LEVEL_KEY) if isinstance(meta, dict) else None
    if level in LEVELS and len(kept.wishes) < WISHES_KEPT:
        kept.wishes[look.number] = str(level)
