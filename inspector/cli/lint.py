"""`mcp-inspect lint`: what breaks the specification, on a running server or in a recording.

Decides which of the two is meant, in which form findings are printed, and what the exit code says.
What a report has is `inspector.cli.lint_report`; what is asked of a server `inspector.cli.linting`.
"""

import gc
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from inspector.cli import output
from inspector.cli.commands import EXITS, HELP, TARGET, Command
from inspector.cli.options import (
    Given,
    choose,
    no_server,
    server_hint,
    split_target,
    target_options,
)
from inspector.cli.output import Output
from inspector.cli.recorded import STDIN, recorded
from inspector.errors import RecordingError, UsageError

if TYPE_CHECKING:
    from inspector.cli.lint_report import Report, Wanted
    from inspector.journal.journal import Journal
    from inspector.lint.rule import Rule

FORMATS: Final = ("text", "json", "junit", "sarif")
LEVELS: Final = ("error", "warn", "info")
_NEITHER: Final = (
    "give a recording (an existing file, or - for stdin), or a server: a URL, -- COMMAND [ARG]...,"
    " or --server NAME"
)
END: Final = TARGET.replace("TARGET is", "FILE is a recording, - one on stdin. TARGET is") + EXITS


@click.command(cls=Command, epilog=END, context_settings=HELP)
@click.argument("words", nargs=-1, metavar="FILE | TARGET")
@click.option(
    "--active",
    is_flag=True,
    help="Also send what a correct server refuses: a cursor that nobody gave, names that do not"
    " exist, a foreign Origin, a wrong version or session.",
)
@click.option(
    "--fail-on",
    type=click.Choice(LEVELS),
    default="error",
    show_default=True,
    help="Exit with 1 for findings as grave as this, or graver.",
)
@click.option(
    "--rule",
    "globs",
    metavar="GLOB",
    multiple=True,
    help="Only rules like this (tool/*); -GLOB leaves some out. May be repeated.",
)
@click.option(
    "--format", "form", type=click.Choice(FORMATS), help="How to print them [default: text]."
)
@click.option(
    "--portability",
    is_flag=True,
    help="Also say which tool schemas and names hosts are known to refuse or to change: remarks"
    " (info) with ids host/..., no violations.",
)
@click.option("--list-rules", is_flag=True, help="Print all rules instead (with --json as JSON).")
@target_options
def lint(
    words: tuple[str, ...],
    active: bool,
    fail_on: str,
    globs: tuple[str, ...],
    form: str | None,
    portability: bool,
    list_rules: bool,
    **options: object,
) -> None:
    """Finds what breaks the specification.

    \b
    mcp-inspect lint -- python server.py
    mcp-inspect lint http://127.0.0.1:8000/mcp --active --fail-on warn
    mcp-inspect lint session.jsonl --rule 'tool/*' --rule -tool/no-description
    mcp-inspect lint --record l.jsonl --format sarif -- ./server > l.sarif

    On a TARGET it opens a session, reads all pages of all lists, pings, asks for a few completions,
    and ends the session; it calls no tool, reads no resource and gets no prompt. --active goes on
    in sessions of its own and tells each step on stderr: still no tool is called that exists, and
    nothing is sent that a correct server does not refuse. Each finding has its rule, how grave it
    is (error: a MUST, warn: a SHOULD, info: worth knowing), the entries of the session it is about,
    a JSON pointer, and the page of the specification.

    Exit code 1: there is a finding as grave as --fail-on says. Where something could not be looked
    at (no session came about, or it broke off), the findings until then are printed all the same,
    and the exit code says what was in the way: 3, 4 or 5.
    """
    from inspector.cli.lint_report import Wanted
    from inspector.cli.main import Settled

    given = Given.take(options)
    if given.as_json and form not in (None, "json"):
        raise UsageError(f"--json and --format {form} exclude each other")
    form = "json" if given.as_json else form or "text"
    out = Output(as_json=form == "json", verbose=given.verbose)
    wanted = Wanted(globs)
    wanted.check(_known(portability))
    if list_rules:
        raise Settled(_list_rules(out, wanted, portability))
    program: tuple[str, ...] | None = click.get_current_context().find_root().obj
    rest, url = split_target(words, given, program)
    chosen = choose(given, url, program)
    printer = _Printer(out, form, fail_on)
    if chosen is None:
        if active:
            raise UsageError("--active needs a server; a recording can only be read")
        code = _lint_file(_file(rest), wanted, printer, portability)
        raise Settled(code)
    if rest:
        raise UsageError(
            f"both {rest[0]!r} and a server are given", hint=f"{_NEITHER}; one of them"
        )
    from inspector.cli.linting import lint_target
    from inspector.cli.starting import run_on

    work = lint_target(wanted, printer, active=active, portable=portability)
    raise Settled(run_on(given, chosen, work, connect=False, patient=True))


def _known(portability: bool) -> list[str]:
    return [row.id for row in _rules(portability).values()]


def _rules(portability: bool) -> "Mapping[str, Rule]":
    from inspector.lint.catalog import RULES

    if not portability:
        return RULES
    from inspector.lint import portability as hosts

    return {**RULES, **{row.id: row for row in hosts.RULES}}


def _list_rules(out: Output, wanted: "Wanted", portability: bool) -> int:
    rules = [row for name, row in _rules(portability).items() if name in wanted]
    if out.as_json:
        from inspector.cli.lint_formats import catalogue_json
        from inspector.protocol.messages import encode_json

        out.result_json(encode_json(catalogue_json(rules)))
    else:
        from inspector.cli.lint_output import catalogue

        out.result(*catalogue(rules))
    return output.DONE


# -- recordings --


def _file(words: tuple[str, ...]) -> str:
    """The recording that is meant. Raises UsageError where that makes no sense."""
    if not words:
        raise UsageError("nothing to lint is named", hint=_NEITHER)
    if len(words) > 1:
        raise UsageError(f"unexpected word {words[1]!r}", hint=_NEITHER)
    word = words[0]
    if word == STDIN or Path(word).exists():
        return word
    if what := no_server(word):
        raise UsageError(what, hint=server_hint(word))
    raise UsageError(
        f"{word!r} is neither a recording (there is no such file) nor a server", hint=_NEITHER
    )


def _lint_file(word: str, wanted: "Wanted", printer: "_Printer", portability: bool) -> int:
    from inspector.cli.lint_report import report

    gc.freeze()
    gc.enable()
    journal = _recorded(word)
    if journal.dropped_bytes:
        printer.out.note(f"{journal.dropped_bytes} bytes of it cannot be read; the rest was judged")
    try:
        return printer(
            report(
                journal,
                wanted,
                "stdin" if word == STDIN else word,
                recording=None if word == STDIN else Path(word),
                portable=portability,
                tell=_progress if sys.stderr.isatty() else None,
            )
        )
    finally:
        journal.close()


def _recorded(word: str) -> "Journal":
    try:
        return recorded(word)
    except RecordingError as error:
        if Path(word).is_file():
            start = f"to start it as a server: mcp-inspect lint -- {word}"
            error.hint = "\n".join(filter(None, (error.hint, start)))
        raise


def _progress(done: int, of: int) -> None:
    """How far judging is, in a line that is taken away."""
    from inspector.cli.waiting_line import replace_line

    if of > 20_000:
        replace_line(f"judged {done:,} of {of:,}" if done < of else "")


# -- printing --


class _Printer:
    """Prints a report in the form that was chosen, and knows the exit code of its findings."""

    def __init__(self, out: Output, form: str, fail_on: str) -> None:
        from inspector.lint.rule import Severity

        self.out = out
        self._form = form
        self._threshold = Severity(fail_on)

    def __call__(self, report: "Report") -> int:
        from inspector.protocol.messages import encode_json

        match self._form:
            case "json":
                from inspector.cli.lint_formats import as_json

                self.out.result_json(encode_json(as_json(report)))
            case "sarif":
                from importlib.metadata import version

                from inspector.cli.lint_formats import as_sarif

                self.out.result_json(encode_json(as_sarif(report, version("mcp-inspect"))))
            case "junit":
                from inspector.cli.lint_formats import as_junit

                self.out.result_xml(as_junit(report, self._threshold))
            case _:
                from inspector.cli.lint_output import drawn

                self.out.result(*drawn(report))
        return output.SERVER_ERROR if report.fails(self._threshold) else output.DONE
