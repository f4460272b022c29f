"""Rules of how a connection begins: order, versions, `server/discover` (`basic/lifecycle`,
`basic/versioning`, `server/discover`)."""

from dataclasses import dataclass
from typing import Final

from inspector.lint.look import Look
from inspector.lint.rule import Rule, quoted, rule
from inspector.lint.state import MODERN
from inspector.protocol.codes import METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION
from inspector.protocol.messages import MessageKind
from inspector.protocol.versions import Era, parse_revision

_PAGE: Final = "basic/lifecycle"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "life/request-before-init", "The server asks before the session began", _PAGE, warn="ABCD"
    ),
    rule("life/version-unsupported", "The answered version is none to answer", _PAGE, error="ABCD"),
    rule("life/version-downgrade", "The server answers another version", _PAGE, info="ABCD"),
    rule(
        "life/version-error-data",
        "-32022 does not say what is supported",
        "basic/versioning",
        warn="E",
    ),
    rule("life/no-server-info", "Results do not name the server", "basic", warn="E"),
    rule("life/discover-missing", "server/discover is not there", "server/discover", error="E"),
)


@dataclass(slots=True)
class _Kept:
    nameless: bool = False
    refused: int = 0


def check(look: Look) -> None:
    """Judges one message."""
    kept = look.state.held(_Kept)
    if look.kind is MessageKind.REQUEST and look.from_server:
        _early(look)
    elif look.kind is MessageKind.RESULT and look.from_server:
        _result(look, kept)
    elif look.kind is MessageKind.ERROR and look.from_server:
        _error(look, kept)


def shape(look: Look) -> None:
    """Which version the server answers, before the schema speaks."""
    if not look.answers("initialize") or look.asked is None:
        return
    said = look.result.get("protocolVersion")
    version = parse_revision(said)
    if version is None or version.era is Era.MODERN:
        why = "none of this way to begin" if version else "none that was ever released"
        look.report(
            "life/version-unsupported",
            f"The answered version {quoted(said)} is {why}; it must be one that initialize"
            " negotiates.",
            "/result/protocolVersion",
            look.asked.number,
            revision=look.asked.revision if version is None else look.state.offered,
        )
    elif (offered := look.state.offered) is not None and version is not offered:
        look.report(
            "life/version-downgrade",
            f"{offered} was offered, and the server answers {version}.",
            "/result/protocolVersion",
            look.asked.number,
        )


def _early(look: Look) -> None:
    if not look.state.initialized and look.method != "ping":
        look.report(
            "life/request-before-init",
            f"The server asks {quoted(look.method)} before notifications/initialized; until then"
            " it should only ping.",
            "/method",
        )


def _result(look: Look, kept: _Kept) -> None:
    if look.revision is not MODERN:
        return
    if kept.refused and look.state.modern:
        _missing(look, kept)
    meta = look.result.get("_meta")
    named = isinstance(meta, dict) and "io.modelcontextprotocol/serverInfo" in meta
    if not named and not kept.nameless:
        kept.nameless = True
        look.report(
            "life/no-server-info",
            "The result's _meta lacks io.modelcontextprotocol/serverInfo, by which a server should"
            " name itself in every result (told once a connection).",
            "/result/_meta",
        )


def _error(look: Look, kept: _Kept) -> None:
    code, data = look.error.get("code"), look.error.get("data")
    if code == UNSUPPORTED_PROTOCOL_VERSION and look.revision is MODERN:
        for name in ("supported", "requested"):
            if not isinstance(data, dict) or name not in data:
                look.report(
                    "life/version-error-data",
                    f"The error -32022 lacks data.{name}, by which a client finds a version.",
                    "/error/data",
                )
                return
    if code == METHOD_NOT_FOUND and look.method == "server/discover":
        kept.refused = look.number
        if look.state.modern:
            _missing(look, kept)


def _missing(look: Look, kept: _Kept) -> None:
    look.report(
        "life/discover-missing",
        "The server speaks this revision, and says that it has no server/discover; it must have"
        " it.",
        "",
        kept.refused,
        revision=MODERN,
    )
    kept.refused = 0
