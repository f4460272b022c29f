"""`mcp-inspect export`: a recording, or a part of it, in the form that somebody else can read.

Decides which options there are, where the export goes and what the exit code says. The forms are
`inspector.export`, how files are written `inspector.render.saving`.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from inspector.cli.commands import HELP, Command
from inspector.cli.output import Output
from inspector.cli.recorded import recorded
from inspector.errors import UsageError

if TYPE_CHECKING:
    from inspector.export.formats import Format
    from inspector.export.source import Source

NOTHING: Final = 1
"""The exit code where there is nothing to export."""
STDOUT: Final = "-"
CHUNK: Final = 64 * 1024
EXITS: Final = """\b
Exit codes:
  0      done
  1      nothing matches, or nothing of it can be in that format
  2      wrong usage, or OUT cannot be written
  3      FILE cannot be read
"""


@click.command("export", cls=Command, epilog=EXITS, context_settings=HELP)
@click.argument("file", metavar="FILE")
@click.option(
    "--format",
    "name",
    metavar="FORMAT",
    help="jsonl, json, har, html, markdown, mermaid, curl or pytest; guessed from OUT's suffix.",
)
@click.option("--filter", "text", metavar="TEXT", default="", help="Only entries that match.")
@click.option(
    "--exchanges",
    is_flag=True,
    help="With --filter: also what belongs to them (request, answer, progress, HTTP).",
)
@click.option("-o", "--output", "out", metavar="OUT", help="A new file instead of stdout (-).")
@click.option("--force", is_flag=True, help="OUT may exist: it is replaced.")
@click.option(
    "--redact",
    "rules",
    metavar="RULE",
    multiple=True,
    help="Replace: key=NAME, path=$.params.x, value=TEXT, value-env=VAR, regex=PATTERN;"
    " may be repeated.",
)
def export(
    file: str,
    name: str | None,
    text: str,
    exchanges: bool,
    out: str | None,
    force: bool,
    rules: tuple[str, ...],
) -> None:
    """Writes a recording, or a part of it, for others to read.

    \b
    mcp-inspect export session.jsonl -o session.html
    mcp-inspect export session.jsonl -o errors.md --filter is:error
    mcp-inspect export session.jsonl -o test_server.py --filter method:tools/call
    mcp-inspect export session.jsonl -o clean.jsonl --redact key=password

    \b
    jsonl     a recording that opens again; a part of one is numbered anew
    json      one document for programs, every message token for token
    har       HTTP archive; a stdio session as pairs of request and answer
    html      one page to read in a browser, with nothing fetched from anywhere
    markdown  a report to paste into an issue
    mermaid   a sequence diagram
    curl      a script that sends the requests again
    pytest    tests that replay the calls and compare the answers

    FILE is a recording, or - for one on stdin. What the recording has masked stays masked, and
    Authorization, cookies and tokens are masked in any case. --redact replaces more, in messages,
    headers, URLs, stderr, events and notes alike, however it is escaped or encoded; what stands
    under a key or a path is replaced wherever else it occurs. stderr says how often.
    """
    from inspector.cli.main import Settled
    from inspector.export.formats import format_named, format_of
    from inspector.export.redaction import Redaction
    from inspector.export.rules import parse_rules
    from inspector.export.source import Source, select
    from inspector.journal.query import compile_filter

    said = Output()
    out = None if out == STDOUT else out
    guessed = format_of(out) if out is not None else None
    if name is None and out is not None and guessed is None:
        raise UsageError(f"the name {out} tells no format", hint="add --format")
    chosen = format_named(name) if name is not None else guessed or format_named("jsonl")
    if exchanges and not text.strip():
        raise UsageError("--exchanges goes with --filter")
    if force and out is None:
        raise UsageError("--force goes with --output")
    redaction = Redaction(parse_rules(rules, os.environ))
    compile_filter(text)
    if out is not None and not force and os.path.lexists(out):
        raise UsageError(f"{out} exists already", hint="name another file, or add --force")
    journal = recorded(file)
    if journal.dropped_bytes:
        said.note(f"{journal.dropped_bytes:,} bytes of {file} are damaged and left out")
    try:
        numbers = select(journal, text, exchanges=exchanges)
        source = Source(journal, numbers, redaction, wanted=text)
        _write(chosen, source, out, force)
    except UsageError as error:
        if error.kind != "nothing":
            raise
        said.failure(error)
        raise Settled(NOTHING) from None
    _tell(said, source, out)


def _write(chosen: "Format", source: "Source", out: str | None, force: bool) -> None:
    pieces = _in_chunks(chosen.write(source))
    if out is not None:
        from inspector.render.saving import write_pieces

        write_pieces(Path(out), pieces, replace=force)
        return
    said = Output()
    terminal = sys.stdout.isatty()
    for piece in pieces:
        said.result_bytes(_for_terminal(piece) if terminal else piece)


def _in_chunks(pieces: Iterator[bytes]) -> Iterator[bytes]:
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)


def _for_terminal(piece: bytes) -> bytes:
    """A terminal gets no character that it would act on; a file or a pipe gets what there is."""
    from inspector.render.safe import visible

    shown = visible(piece.decode("utf-8", "surrogateescape"), keep_newlines=True)
    return shown.encode(sys.stdout.encoding or "utf-8", "backslashreplace")


def _tell(said: Output, source: "Source", out: str | None) -> None:
    redaction = source.redaction
    if out is not None:
        said.note(f"{len(source):,} of {len(source.journal):,} entries written to {out}")
    for remark in source.told:
        said.note(remark)
    if redaction.rules.any:
        counted = ", ".join(f"{label}: {times:,}" for label, times in redaction.counts.items())
        said.note(
            f"{redaction.replaced:,} values redacted in {redaction.entries:,} entries"
            + (f" ({counted})" if counted else "")
        )
    for label in redaction.idle:
        said.note(f"--redact {label} replaced nothing")
    if redaction.too_many:
        said.note("there are too many different values under the keys to find them all elsewhere")
