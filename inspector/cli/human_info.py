"""What `info` tells people: who the server is, what was agreed and why, what each side can do.

Reads leniently, straight from the JSON; all text of a server passes `inspector.render.safe`.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from rich.text import Text

from inspector.cli.human import compact, text_of
from inspector.cli.output import Paragraph
from inspector.protocol.deprecated import is_deprecated
from inspector.protocol.messages import Json, JsonObject, encode_json
from inspector.protocol.methods import Side
from inspector.render.lifetime import BYPASSED, lifetime
from inspector.render.safe import safe_text, visible
from inspector.session.state import SessionState
from inspector.session.wrong_era import named_versions

if TYPE_CHECKING:
    from inspector.cli.output import Part

LABEL_WIDTH: Final = 14
EXTENSIONS: Final = "extensions"
SERVER_CAPABILITIES: Final = ("tools", "resources", "prompts", "logging", "completions")
"""What a server may declare in every revision spoken here (completions since 2025-03-26)."""


def info(state: SessionState) -> "list[Part]":
    """Who the server is, what was agreed and why, what each side can do, the instructions."""
    facts = state.transport
    where = "" if facts is None else facts.kind + (f", pid {facts.pid}" if facts.pid else "")
    rows: list[tuple[str, Text]] = [("server", _identity(state.server_info))]
    for key in ("description", "websiteUrl"):
        if (about := text_of(state.server_info.get(key))) is not None:
            rows.append(("", safe_text(about)))
    era = f" ({state.revision.era.value} era)" if state.revision is not None else ""
    named = ", ".join(named_versions(state.initialize_raw, ()))
    rows += [
        ("revision", Text(visible(state.revision_text + era))),
        ("why", Text(visible(state.why))),
        *([("server speaks", safe_text(named, keep_newlines=False))] if named else []),
        ("transport", Text(visible(where))),
        *_capabilities("server can", state, SERVER_CAPABILITIES),
        *_extensions("extensions", state.capabilities),
        *_capabilities("we offer", state, ()),
        *_extensions("extensions", state.client_capabilities),
    ]
    if (fresh := state.discover_freshness) is not None:
        rows.append(("caching", Text(f"{lifetime(fresh)}; {BYPASSED}")))
    if state.instructions:
        rows.append(("instructions", safe_text(state.instructions.rstrip())))
    return [_row(label, value) for label, value in rows]


def _row(label: str, value: Text) -> Paragraph:
    return Paragraph(value, LABEL_WIDTH, Text(label, style="mcp.dim"))


def _identity(server_info: JsonObject) -> Text:
    name = text_of(server_info.get("title")) or text_of(server_info.get("name")) or "unnamed"
    line = safe_text(name, "mcp.title", keep_newlines=False)
    own = text_of(server_info.get("name"))
    parts = [own if own != name else None, text_of(server_info.get("version"))]
    for part in parts:
        if part:
            line.append_text(safe_text(f"  {part}", keep_newlines=False))
    return line


def _extensions(label: str, declared: JsonObject) -> Iterable[tuple[str, Text]]:
    """One row for each extension (2026-07-28), with its settings."""
    held = declared.get(EXTENSIONS)
    for number, (name, settings) in enumerate(held.items() if isinstance(held, dict) else ()):
        line = safe_text(name, keep_newlines=False)
        if settings != {}:
            line.append("  ").append_text(compact(settings))
        yield label if number == 0 else "", line


def _capabilities(
    label: str, state: SessionState, known: Sequence[str]
) -> Iterable[tuple[str, Text]]:
    """One row for each capability, the `known` ones that are not declared included."""
    side: Side = "server" if known else "client"
    declared = dict(state.capabilities if known else state.client_capabilities)
    if isinstance(declared.get(EXTENSIONS), dict):
        del declared[EXTENSIONS]  # these have rows of their own
    names = [*declared, *(name for name in known if name not in declared)]
    width = min(max((len(visible(name)) for name in names), default=0), LABEL_WIDTH + 2)
    for number, name in enumerate(names):
        line = safe_text(name, "" if name in declared else "mcp.dim", keep_newlines=False)
        line.append(" " * (width - line.cell_len + 2))
        if name not in declared:
            line.append("no", style="mcp.dim")
        else:
            switches = ", ".join(_switches(declared[name])) or "yes"
            line.append_text(safe_text(switches, keep_newlines=False))
            if is_deprecated(side, name, state.revision):
                line.append("  deprecated", style="mcp.dim")
        yield label if number == 0 else "", line
    if not names:
        yield label, Text("nothing declared", style="mcp.dim")


def _switches(value: Json, path: str = "") -> list[str]:
    """What a capability switches on: `listChanged`, `requests.tools.call`."""
    if not isinstance(value, dict):
        return [path or encode_json(value).decode()] if value not in (False, None) else []
    inner = [
        name
        for key, one in value.items()
        for name in _switches(one, f"{path}.{key}" if path else key)
    ]
    return inner if inner or not path else [path]
