"""What `mcp-inspect lint` has to say of one journal, before anybody prints it.

Decides which rules were wanted, which of them could have spoken here, and what of the server was
never exercised. What breaks a rule is decided by `inspector.lint`; forms of printing it by
`inspector.cli.lint_output` and `inspector.cli.lint_formats`.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from inspector.errors import InspectorError, UsageError
from inspector.journal.answers import answers_to
from inspector.journal.entries import Kind
from inspector.journal.facts import ASIDE, decode_facts
from inspector.journal.journal import Journal
from inspector.lint.catalog import RULES
from inspector.lint.engine import Linter
from inspector.lint.rule import Finding, Rule, Severity
from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import JsonObject
from inspector.protocol.versions import LATEST_HANDSHAKE, Revision

SPECIFICATION: Final = "https://modelcontextprotocol.io/specification"
STEP: Final = 2000
"""Entries judged between two words on how far it is."""
OFFERED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "tools": ("tools/list", "tools/call"),
    "resources": ("resources/list", "resources/templates/list", "resources/read"),
    "prompts": ("prompts/list", "prompts/get"),
    "completions": ("completion/complete",),
    "logging": (),
}
"""What a server may offer, and the requests by which it shows."""
_STDIO_ONLY: Final = ("stdio/",)
_HTTP_ONLY: Final = ("http/", "auth/", "sse/")

Tell = Callable[[int, int], None]
"""Hears how many entries of how many were judged."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rules to print: those that a glob of `globs` matches (all, where none is given), but
    those that a glob after a `-` matches."""

    globs: tuple[str, ...] = ()

    def __contains__(self, rule_id: str) -> bool:
        chosen = [glob for glob in self.globs if not glob.startswith("-")]
        left_out = [glob[1:] for glob in self.globs if glob.startswith("-")]
        return (not chosen or _any(rule_id, chosen)) and not _any(rule_id, left_out)

    def check(self, known: Iterable[str]) -> None:
        """Raises UsageError for a glob that matches no rule: a check that cannot fail."""
        names = [*known]
        for glob in self.globs:
            bare = glob.removeprefix("-")
            if not any(fnmatchcase(name, bare) for name in names):
                close = get_close_matches(bare, names, 1)
                hint = f"did you mean {close[0]!r}? " if close else ""
                if bare.startswith("host/"):
                    hint = "those need --portability; "
                raise UsageError(
                    f"--rule: no rule matches {bare!r}",
                    hint=f"{hint}mcp-inspect lint --list-rules has them all",
                )


def _any(rule_id: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(rule_id, glob) for glob in globs)


@dataclass(frozen=True, slots=True)
class Report:
    """The findings that were wanted, in the order of the entries, and what stands around them.

    `revision` is the one that was spoken (None: there was no session), `source` what was linted,
    in words, `recording` the file that has the entries (None: none is kept). `failure` says why not
    everything could be looked at. `active` says that the active rules were exercised.
    """

    journal: Journal
    findings: tuple[Finding, ...]
    revision: Revision | None
    source: str
    rules: Mapping[str, Rule]
    """The rules that were wanted and could have spoken."""
    recording: Path | None = None
    failure: InspectorError | None = None
    active: bool = False
    undeclared: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    counts: Counter[Severity] = field(default_factory=Counter)
    more: Mapping[str, int] = field(default_factory=dict)
    """How many further findings of a rule there are, which are not among these."""

    @property
    def entries(self) -> int:
        """How many entries were judged."""
        return len(self.journal)

    @property
    def idle(self) -> tuple[str, ...]:
        """Active rules that nobody gave a chance to speak."""
        if self.active:
            return ()
        return tuple(row.id for row in self.rules.values() if row.active)

    def fails(self, threshold: Severity) -> bool:
        """Whether a finding is as grave as that, or graver."""
        return any(at_least(one.severity, threshold) for one in self.findings)


def at_least(severity: Severity, threshold: Severity) -> bool:
    """Whether a severity is as grave as another, or graver."""
    order = [*Severity]
    return order.index(severity) <= order.index(threshold)


def page_url(page: str, revision: Revision | None) -> str:
    """Where a rule is from, for a browser."""
    if "://" in page:
        return page
    return f"{SPECIFICATION}/{revision or LATEST_HANDSHAKE}/{page}"


def report(
    journal: Journal,
    wanted: Wanted,
    source: str,
    *,
    recording: Path | None = None,
    failure: InspectorError | None = None,
    active: bool = False,
    portable: bool = False,
    tell: Tell | None = None,
) -> Report:
    """Judges a whole journal. `portable`: how its tools travel between hosts, too."""
    linter = Linter(journal)
    while linter.judged < len(journal):
        linter.advance(STEP)
        if tell is not None:
            tell(linter.judged, len(journal))
    found = [*linter.findings]
    rules = dict(RULES)
    if portable:
        from inspector.lint import portability

        found += portability.judge(journal, linter.revision_of)
        rules.update((row.id, row) for row in portability.RULES)
    sections = _connections(journal)
    asides = {number for number, facts in sections if ASIDE in facts}
    chosen = tuple(_told_once(journal, asides, [one for one in found if one.rule in wanted]))
    main = _main_connection(sections, linter)
    revision = linter.revision_of(main) if main else None
    offered = _offered(journal)
    declared = [name for name in OFFERED_BY if offered is not None and name in offered]
    more = {rule: count for rule, count in linter.kept.more.items() if rule in wanted}
    severities = {one.rule: one.severity for one in chosen}
    counts = Counter(one.severity for one in chosen)
    for rule, count in more.items():
        if rule in severities:
            counts[severities[rule]] += count
    return Report(
        journal=journal,
        findings=chosen,
        revision=revision,
        source=source,
        rules=_applicable(rules, wanted, revision, _transports(sections), chosen),
        recording=recording,
        failure=failure,
        active=active,
        undeclared=tuple(n for n in OFFERED_BY if offered is not None and n not in offered),
        unseen=tuple(
            method
            for name in declared
            for method in OFFERED_BY[name]
            if next(answers_to(journal, method), None) is None
        ),
        counts=counts,
        more=more,
    )


def _connections(journal: Journal) -> list[tuple[int, JsonObject]]:
    """The sections of the journal with what is noted of them."""
    names = journal.methods
    begins = [
        number
        for number in range(1, len(journal) + 1)
        if journal.kinds[number] == Kind.EVENT and names[journal.method_ids[number]] == "connection"
    ]
    return [(journal.row(each).connection, decode_facts(journal.body(each))) for each in begins]


def _told_once(
    journal: Journal, asides: Collection[int], found: Iterable[Finding]
) -> Iterator[Finding]:
    """The findings, but none of a section aside that was told of another: there the same server
    was asked the same once more."""
    told: set[tuple[str, str, str]] = set()
    for one in found:
        what = (one.rule, one.pointer, one.message)
        aside = bool(one.entries) and journal.row(one.entries[0]).connection in asides
        if not (aside and what in told):
            yield one
        told.add(what)


def _main_connection(sections: Iterable[tuple[int, JsonObject]], linter: Linter) -> int:
    """The last section that is nobody's aside and came to speak a revision; 0 where none did."""
    spoke = [(number, ASIDE in facts) for number, facts in sections if linter.revision_of(number)]
    own = [number for number, aside in spoke if not aside]
    return own[-1] if own else (spoke[-1][0] if spoke else 0)


def _transports(sections: Iterable[tuple[int, JsonObject]]) -> frozenset[str]:
    """ "stdio", "http" or both."""
    return frozenset("stdio" if facts.get("command") else "http" for _, facts in sections)


def _offered(journal: Journal) -> JsonObject | None:
    """The capabilities that the server declared last, None where it never got to that."""
    last: JsonObject | None = None
    for number in answers_to(journal, "initialize", "server/discover"):
        try:
            match parse_json(journal.body(number)):
                case {"result": {"capabilities": dict(declared)}}:
                    last = declared
        except NotJsonError:
            continue
    return last


def _applicable(
    rules: Mapping[str, Rule],
    wanted: Wanted,
    revision: Revision | None,
    transports: frozenset[str],
    found: Sequence[Finding],
) -> dict[str, Rule]:
    """The wanted rules that hold in the revision and on the transport, and those that spoke."""
    spoke = {one.rule for one in found}
    held = revision or LATEST_HANDSHAKE

    def holds(row: Rule) -> bool:
        if row.id.startswith(_STDIO_ONLY) and "stdio" not in transports:
            return False
        if row.id.startswith(_HTTP_ONLY) and "http" not in transports:
            return False
        return held in row.severities

    return {
        name: row for name, row in rules.items() if name in wanted and (name in spoke or holds(row))
    }
