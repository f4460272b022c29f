"""Rules of capabilities: what is used must be declared, what is declared must work
(`basic/lifecycle`, since 2026-07-28 `server/discover`), and what is deprecated."""

from dataclasses import dataclass, field
from typing import Final

from inspector.lint.look import Look
from inspector.lint.rule import Rule, pointer, quoted, rule
from inspector.lint.state import MODERN, declares
from inspector.protocol.codes import METHOD_NOT_FOUND, MISSING_CLIENT_CAPABILITY
from inspector.protocol.deprecated import is_deprecated
from inspector.protocol.messages import Json, JsonObject, MessageKind
from inspector.protocol.methods import METHODS
from inspector.protocol.versions import REVISIONS

_PAGE: Final = "basic/lifecycle"
_MODERN_PAGE: Final = "server/discover"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "cap/list-changed-undeclared", "A list change is announced undeclared", _PAGE, warn="ABCD"
    ),
    rule("cap/updated-undeclared", "A resource update is announced undeclared", _PAGE, warn="ABCD"),
    rule(
        "cap/logging-undeclared",
        "Logs come undeclared",
        _PAGE,
        error="ABCDE",
        modern_page=_MODERN_PAGE,
    ),
    rule(
        "cap/completions-undeclared",
        "Completion works undeclared",
        _PAGE,
        error="BCDE",
        modern_page=_MODERN_PAGE,
    ),
    rule(
        "cap/feature-works-undeclared",
        "A method works undeclared",
        _PAGE,
        warn="ABCDE",
        modern_page=_MODERN_PAGE,
    ),
    rule(
        "cap/declared-not-implemented",
        "A declared feature is missing",
        _PAGE,
        error="ABCDE",
        modern_page=_MODERN_PAGE,
    ),
    rule(
        "cap/client-feature-undeclared",
        "The client is asked for what it did not declare",
        _PAGE,
        error="ABCDE",
        modern_page="basic",
    ),
    rule("cap/extension-key", "An extension's identifier has no prefix", "basic", error="E"),
    rule(
        "cap/missing-capability-data",
        "-32021 does not say what is required",
        "basic/versioning",
        error="E",
    ),
    rule("dep/feature", "A deprecated feature is in use", "deprecated", info="E"),
)

_UPDATED: Final = "notifications/resources/updated"
_LOG: Final = "notifications/message"
_NOT_OWED: Final = frozenset({"resources/templates/list"})
"""The capability does not promise these."""


@dataclass(slots=True)
class _Kept:
    told: set[str] = field(default_factory=set)


def check(look: Look) -> None:
    """Judges one message."""
    if not look.from_server:
        return
    match look.kind:
        case MessageKind.NOTIFICATION:
            _announced(look)
        case MessageKind.RESULT:
            _worked(look)
            _extensions(look)
            for key, asked in input_requests(look.result).items():
                client_feature(look, asked, pointer("result", "inputRequests", key))
        case MessageKind.ERROR:
            _refused(look)
        case MessageKind.REQUEST if look.revision is not MODERN:
            client_feature(look, look.value, "")
        case _:
            pass


def input_requests(result: JsonObject) -> dict[str, JsonObject]:
    """The requests inside an `input_required` result."""
    if result.get("resultType") != "input_required":
        return {}
    requests = result.get("inputRequests")
    if not isinstance(requests, dict):
        return {}
    return {key: each for key, each in requests.items() if isinstance(each, dict)}


def _once(look: Look, what: str) -> bool:
    """Whether this was not told before in the connection."""
    told = look.state.held(_Kept).told
    if what in told:
        return False
    told.add(what)
    return True


def _announced(look: Look) -> None:
    row = METHODS.get(look.method)
    if look.method == _LOG and _once(look, "logging is deprecated"):
        look.report(
            "dep/feature",
            "Log messages are deprecated in this revision (told once a connection).",
            "/method",
        )
    if row is None or row.declared_by != "server" or not look.state.told:
        return
    needed = row.needs(look.revision)
    if needed is None or declares(look.state.server, *needed):
        return
    if look.method == _LOG:
        name = "cap/logging-undeclared"
    elif look.method == _UPDATED:
        name = "cap/updated-undeclared"
    else:
        name = "cap/list-changed-undeclared"
    if look.revision not in look.rules[name].revisions or not _once(look, look.method):
        return
    look.report(
        name,
        f"{look.method} comes from a server that did not declare {'.'.join(needed)} (told once a"
        " connection).",
        "/method",
    )


def _worked(look: Look) -> None:
    row = METHODS.get(look.method)
    if row is None or row.declared_by != "server" or not look.state.told:
        return
    needed = row.needs(look.revision)
    if needed is None or declares(look.state.server, *needed) or not _once(look, look.method):
        return
    name = "cap/feature-works-undeclared"
    if look.method == "completion/complete":
        name = "cap/completions-undeclared"
    look.report(
        name,
        f"{look.method} succeeds, but the server did not declare {'.'.join(needed)}; what it has"
        " it should declare.",
        "",
        look.asked.number if look.asked else 0,
    )


def _refused(look: Look) -> None:
    code, data = look.error.get("code"), look.error.get("data")
    if code == MISSING_CLIENT_CAPABILITY and look.revision is MODERN:
        required = data.get("requiredCapabilities") if isinstance(data, dict) else None
        if not isinstance(required, dict):
            look.report(
                "cap/missing-capability-data",
                "The error -32021 must say in data.requiredCapabilities which ones are missing.",
                "/error/data",
            )
    if code != METHOD_NOT_FOUND or look.asked is None or look.method in _NOT_OWED:
        return
    row = METHODS.get(look.method)
    needed = row.needs(look.revision) if row is not None else None
    if row is None or needed is None or row.declared_by != "server" or not look.state.told:
        return
    # A server may hand on what somebody else did not know.
    message = str(look.error.get("message"))
    elsewhere = any(name in message for name in METHODS if name != look.method)
    if declares(look.state.server, *needed) and not elsewhere:
        look.report(
            "cap/declared-not-implemented",
            f"The server declared {'.'.join(needed)} and does not know {look.method}; what it"
            " declares must work.",
            "/error/code",
            look.asked.number,
        )


def _extensions(look: Look) -> None:
    if not look.answers("server/discover"):
        return
    match look.result.get("capabilities"):
        case {"extensions": dict(extensions)}:
            for name in extensions:
                prefix, slash, rest = name.partition("/")
                if not (slash and prefix and rest):
                    look.report(
                        "cap/extension-key",
                        f"The extension {quoted(name)} must have a prefix and a slash.",
                        pointer("result", "capabilities", "extensions", name),
                    )
        case _:
            pass


def client_feature(look: Look, asked: JsonObject, place: str) -> None:
    """Judges whether the client may be asked this; `asked` is a request, on its own or inside a
    result."""
    method = asked.get("method")
    if method == "ping" or not isinstance(method, str):
        return
    row = METHODS.get(method)
    if row is None or row.declared_by != "client" or not row.capability:
        return
    if look.revision not in row.revisions | row.embedded:
        return  # which is told by another rule
    params = asked.get("params")
    declared = look.state.capabilities(look.asked)
    for path in _needed(look, row.capability[0], params if isinstance(params, dict) else {}):
        if not _declared(declared, path):
            look.report(
                "cap/client-feature-undeclared",
                f"{method} needs the client's capability {'.'.join(path)}, which it did not"
                " declare.",
                f"{place}/method",
                look.asked.number if look.asked else 0,
            )
            return
    if isinstance(params, dict) and params.get("includeContext", "none") != "none":
        look.report(
            "dep/feature",
            "includeContext is deprecated in this revision.",
            f"{place}/params/includeContext",
        )
    if is_deprecated("client", row.capability[0], look.revision) and _once(look, method):
        look.report(
            "dep/feature",
            f"{method} is deprecated in this revision (told once a connection).",
            f"{place}/method",
        )


def _needed(look: Look, capability: str, params: JsonObject) -> list[tuple[str, ...]]:
    needed: list[tuple[str, ...]] = [(capability,)]
    if look.revision < REVISIONS[3]:
        return needed
    if capability == "elicitation":
        mode: Json = params.get("mode", "form")
        needed.append(("elicitation", mode if isinstance(mode, str) else "form"))
    elif capability == "sampling" and ("tools" in params or "toolChoice" in params):
        needed.append(("sampling", "tools"))
    return needed


def _declared(declared: JsonObject, path: tuple[str, ...]) -> bool:
    if path == ("elicitation", "form") and declared.get("elicitation") == {}:
        return True
    return declares(declared, *path)
