"""The lines of the Server tab's list: capabilities, and what the user may change about our side.

Each line is a value that says what it stands for; the view decides what Enter does on it. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.text import Text

from inspector.journal.entries import Direction
from inspector.protocol.versions import Era, Revision
from inspector.render.lifetime import BYPASSED, lifetime, time_left
from inspector.render.safe import one_line
from inspector.session.asks import ASK_KINDS, AskKind, Policy
from inspector.session.catalog import METHOD_OF
from inspector.session.options import Advertise
from inspector.session.roots import Root
from inspector.tui.capability_rows import HOLDERS, CapabilityRow, capability_rows, without_row
from inspector.tui.listen_words import Listening, described
from inspector.tui.open_rows import MoreOpen, OpenLine, draw_open
from inspector.tui.policy_words import POLICY_NAMES, policy_words

if TYPE_CHECKING:
    from inspector.session.session import Session

SPARKS: Final = "▁▂▃▄▅▆▇█"
_HOLDERS: Final = frozenset((name,) for name in HOLDERS)

SWITCH_NAMES: Final[Mapping[str, str]] = {
    "roots": "roots",
    "roots_list_changed": "roots.listChanged",
    "sampling": "sampling",
    "sampling_tools": "sampling.tools",
    "sampling_context": "sampling.context",
    "elicitation": "elicitation (form)",
    "elicitation_url": "elicitation.url",
    "tasks": "tasks (extension)",
}


@dataclass(frozen=True, slots=True)
class HeadingLine:
    """A heading; Enter does nothing."""

    title: str


@dataclass(frozen=True, slots=True)
class CapabilityLine:
    """One capability; Enter shows the traffic that used it."""

    row: CapabilityRow


@dataclass(frozen=True, slots=True)
class SwitchLine:
    """A capability of ours that can be declared or not from the next connect on."""

    field: str
    on: bool
    in_force: bool


@dataclass(frozen=True, slots=True)
class PolicyLine:
    """What happens to asks of one kind."""

    kind: AskKind
    policy: Policy


@dataclass(frozen=True, slots=True)
class RootLine:
    """A root of ours; None stands for "add one"."""

    root: Root | None


@dataclass(frozen=True, slots=True)
class PingLine:
    """The latencies of our pings, seconds, oldest first; `known` where the revision has pings."""

    pings: tuple[float, ...]
    known: bool = True


@dataclass(frozen=True, slots=True)
class LevelLine:
    """The log level that we asked for last; None where we never did. `per_request` where each
    request says it anew."""

    level: str | None
    declared: bool
    per_request: bool = False


@dataclass(frozen=True, slots=True)
class ListenLine:
    """What the server is to announce on a stream of its own; None: nothing was asked for yet."""

    stream: Listening | None


@dataclass(frozen=True, slots=True)
class CacheLine:
    """How long the server says that one answer stays fresh, and what is left of that."""

    what: str
    words: str
    left: str


ServerLine = (
    HeadingLine
    | CapabilityLine
    | SwitchLine
    | PolicyLine
    | RootLine
    | PingLine
    | LevelLine
    | ListenLine
    | CacheLine
    | OpenLine
    | MoreOpen
)


def server_lines(
    session: "Session",
    wanted: Advertise,
    counts: Mapping[tuple[Direction, str], int],
    opened: Sequence[OpenLine | MoreOpen] = (),
    *,
    past: bool = False,
) -> list[ServerLine]:
    """All lines, top to bottom; `wanted` is what the next connect will declare, `opened` are the
    open requests. In the `past` nothing can be chosen, and those come first."""
    state = session.state
    waiting: list[ServerLine] = [HeadingLine("Open requests"), *opened] if opened else []
    lines: list[ServerLine] = waiting if past else []
    lines.append(HeadingLine("Server capabilities"))
    lines += map(
        CapabilityLine, capability_rows("server", state.capabilities, state.revision, counts)
    )
    if more := without_row(state.capabilities):
        lines.append(HeadingLine(f"… {more:,} more, in the traffic"))
    modern = session.era is Era.MODERN and state.revision is not None
    lines.append(HeadingLine("Our capabilities, as declared" + (" per request" if modern else "")))
    lines += map(
        CapabilityLine, capability_rows("client", state.client_capabilities, state.revision, counts)
    )
    if not past:
        lines += _choices(session, wanted, modern=modern)
    lines.append(HeadingLine("Roots"))
    lines += [*map(RootLine, session.roots), *(() if past else (RootLine(None),))]
    lines.append(HeadingLine("Health"))
    lines.append(PingLine(session.pings, not modern))
    lines.append(LevelLine(state.log_level, state.declares("logging"), modern))
    if modern:
        listening = session.subscriptions.listening
        latest = listening.streams[-1] if listening.streams else None
        lines.append(ListenLine(described(latest, listening.again) if latest else None))
        lines += cache_lines(session, session.engine.journal.clock.monotonic())
    return lines if past else lines + waiting


def _choices(session: "Session", wanted: Advertise, *, modern: bool) -> list[ServerLine]:
    """What the user may choose about our side."""
    lines: list[ServerLine] = []
    at_once = modern and session.state.ready
    when = "with each request from now on" if at_once else "on the next connect"
    lines.append(HeadingLine(f"What we declare {when}"))
    for field in fields(Advertise):
        on = bool(getattr(wanted, field.name))
        in_force = bool(getattr(session.advertise, field.name)) == on
        lines.append(SwitchLine(field.name, on, in_force))
    lines.append(HeadingLine("What happens when the server asks"))
    lines += [PolicyLine(kind, session.inbox.policies[kind]) for kind in ASK_KINDS]
    return lines


def cache_lines(session: "Session", now: float) -> list[ServerLine]:
    """The caching hints of what was asked for so far; none where the server gave none."""
    said = {"discover": session.state.discover_freshness}
    said |= {METHOD_OF[kind]: one.freshness for kind, one in session.catalog.lists.items()}
    lines: list[ServerLine] = [
        CacheLine(what, lifetime(hint), time_left(hint, now)) for what, hint in said.items() if hint
    ]
    return [HeadingLine(f"Caching hints; {BYPASSED}"), *lines] if lines else []


def key_of(line: ServerLine) -> object:
    """What stays the same of a line while its value changes."""
    match line:
        case HeadingLine(title):
            return ("heading", title)
        case CapabilityLine(row):
            return ("capability", row.side, row.path)
        case SwitchLine(field):
            return ("switch", field)
        case PolicyLine(kind):
            return ("policy", kind)
        case RootLine(root):
            return ("root", root.uri if root else "")
        case PingLine():
            return "ping"
        case LevelLine():
            return "level"
        case ListenLine():
            return "listen"
        case CacheLine(what):
            return ("cache", what)
        case OpenLine(number):
            return ("open", number)
        case MoreOpen():
            return "more"


def enter_words(line: ServerLine | None) -> str:
    """What Enter does on this line; "" for nothing."""
    match line:
        case CapabilityLine(row) if row.uses:
            return "shows its traffic"
        case OpenLine():
            return "shows it"
        case SwitchLine():
            return "switches it"
        case PolicyLine():
            return "next policy"
        case RootLine(root):
            return "adds a root" if root is None else "edits it"
        case PingLine(known=True):
            return "measures it"
        case LevelLine(declared=True):
            return "next level"
        case ListenLine(stream) if stream is None or stream.ended:
            return "listens" if stream is None else "listens again"
        case _:
            return ""


def draw_line(line: ServerLine, width: int) -> Text:
    """One line of the list."""
    text = Text(end="", no_wrap=True)
    match line:
        case HeadingLine(title):
            text.append(title, "mcp.title")
        case CapabilityLine(row):
            _capability(text, row, width)
        case SwitchLine(field, on, in_force):
            text.append("  [x] " if on else "  [ ] ", "mcp.ok" if on else "mcp.dim")
            text.append(f"{SWITCH_NAMES.get(field, field):<26}", "" if on else "mcp.dim")
            if not in_force:
                text.append("reconnect (F5) to apply", "mcp.warn")
        case PolicyLine(kind, policy):
            text.append(f"  {POLICY_NAMES[kind]:<20}", "")
            text.append(policy_words(kind, policy), "mcp.accent")
        case RootLine(root) if root is None:
            text.append("  + add a root", "mcp.dim")
        case RootLine(Root() as root):
            name = f"  {root.name}" if root.name else ""
            text.append("  " + one_line(root.uri, max(10, width - 4 - len(name))), "")
            text.append(one_line(name, 24), "mcp.dim")
        case PingLine(pings, known):
            text.append("  ping                ", "")
            if not known:
                text.append("this revision has none", "mcp.dim")
            elif pings:
                text.append(f"{pings[-1] * 1000:.1f} ms  ", "mcp.accent")
                text.append(sparkline(pings, max(8, min(30, width - 36))), "mcp.primary")
            else:
                text.append("Enter measures it", "mcp.dim")
        case LevelLine(level, declared, per_request):
            text.append("  log level           ", "")
            if level:
                text.append(one_line(level, 12), "mcp.accent")
                text.append("  goes with each request" if per_request else "", "mcp.dim")
            else:
                words = "Enter sets it" if declared else "the server does not declare logging"
                words += ", for each request from then on" if declared and per_request else ""
                text.append(words, "mcp.dim")
        case ListenLine(stream):
            text.append("  announcements       ", "")
            _listening(text, stream, width)
        case OpenLine() | MoreOpen():
            return draw_open(line, width)
        case CacheLine(what, words, left):
            text.append(f"  {what:<26}", "")
            text.append(words, "mcp.accent")
            text.append(f"  {left}" if left else "", "mcp.dim")
    return text


def sparkline(values: Sequence[float], cells: int) -> str:
    """The last `cells` values as bars between zero and their highest."""
    last = values[-cells:]
    top = max(last, default=0.0)
    if top <= 0:
        return SPARKS[0] * len(last)
    return "".join(SPARKS[min(7, int(value / top * 7.99))] for value in last)


def _listening(text: Text, stream: Listening | None, width: int) -> None:
    if stream is None:
        text.append("none asked for; Enter listens", "mcp.dim")
        return
    words = ", ".join(stream.asked) or "of nothing"
    if stream.ended:
        text.append(f"{stream.again}; " if stream.again else "ended: ", "mcp.warn")
        text.append(one_line(stream.ended, max(8, width - text.cell_len - 1)), "mcp.warn")
    elif not stream.acknowledged:
        text.append(one_line(f"{words}: not acknowledged yet", width - text.cell_len), "mcp.warn")
    else:
        text.append(one_line(words, max(8, width - text.cell_len - 1)), "mcp.accent")
        if stream.denied:
            told = f"  not granted: {', '.join(stream.denied)}"
            text.append(one_line(told, max(8, width - text.cell_len - 1)), "mcp.warn")


def _capability(text: Text, row: CapabilityRow, width: int) -> None:
    depth = len(row.path) - 1
    text.append("  ✓ " if row.declared else "  · ", "mcp.ok" if row.declared else "mcp.faint")
    name = one_line("  " * min(depth, 1) + row.name, max(28, min(48, width - 24)))
    text.append(f"{name:<28} ", "" if row.declared else "mcp.dim")
    if width >= 52 and not row.held:
        since = row.since or ("unknown" if row.declared else "")
        ink = "mcp.dim" if isinstance(row.since, Revision) else "mcp.warn"
        text.append(f"{since:<11} ", ink)
    if row.deprecated:
        text.append("deprecated, ", "mcp.warn")
    words, ink = _use(row)
    room = width - text.cell_len - cell_len(words) - 1
    if row.settings and room > 4:
        text.append(one_line(row.settings, room) + " ", "mcp.code")
    text.append(one_line(words, max(6, width - text.cell_len)), ink)


def _use(row: CapabilityRow) -> tuple[str, str]:
    """What was used of a capability, as words and ink."""
    if row.uses:
        used = (f"{method.removeprefix('notifications/')} {n}" for method, n in row.uses)
        return ", ".join(used), "mcp.accent"
    if not row.declared:
        return "not declared", "mcp.faint"
    if row.path in _HOLDERS:
        return "", ""
    return "not used yet" if row.spoken else "not spoken here", "mcp.faint"
