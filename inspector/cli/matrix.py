"""`mcp-inspect matrix`: one call under every protocol revision, and whether the outcomes are equal.

Decides what is called, which revisions are tried and what the exit code says. How the runs are made
and compared is `inspector.era_matrix`; how they are printed `inspector.cli.matrix_output`.
"""

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Final

import click

from inspector.cli.commands import END, HELP, Command
from inspector.cli.options import target_options
from inspector.errors import UsageError
from inspector.protocol.versions import (
    HANDSHAKE_REVISIONS,
    MODERN_REVISIONS,
    REVISIONS,
    Revision,
    parse_revision,
)

if TYPE_CHECKING:
    from inspector.era_matrix import Wanted

_URI: Final = "resource's URI"


@click.command(cls=Command, epilog=END, context_settings=HELP)
@click.argument("words", nargs=-1, metavar="TOOL [key=text | key:=json | key@=file]... TARGET")
@click.option("--args", metavar="JSON", help="All arguments; @FILE reads a file, - stdin.")
@click.option("--prompt", "as_prompt", is_flag=True, help="TOOL is the name of a prompt.")
@click.option("--read", "as_resource", is_flag=True, help="TOOL is the URI of a resource.")
@target_options
def matrix(
    words: tuple[str, ...],
    args: str | None,
    as_prompt: bool,
    as_resource: bool,
    **options: object,
) -> None:
    """Calls a tool under every revision, and compares.

    \b
    mcp-inspect matrix add a:=2 b:=3 -- python server.py
    mcp-inspect matrix erase path=x --on-elicitation accept-defaults -- ./server
    mcp-inspect matrix --read memo://greeting http://127.0.0.1:8000/mcp

    What the tool does, it does once for each revision that the server accepts. Each revision has a
    session (and a process) of its own, one after the other; what the server asks is answered alike
    in all. --protocol handshake, modern or a revision narrows it down. Compared are results and
    errors, without what only belongs to an era, and what was asked.

    Exit code 0: all accepted revisions brought the same result, and it is no error. 1: they
    differ, or one failed. 3: no revision was accepted.
    """
    from inspector.cli import main
    from inspector.cli.matrix_output import compare_revisions
    from inspector.cli.starting import run_on

    rest, given, chosen = main.target_of(words, options)
    wanted = _wanted(rest, args, as_prompt, as_resource)
    revisions = revisions_of(given.protocol)
    if "ask" in (given.on_sampling, given.on_elicitation):
        raise UsageError(
            "the matrix asks nobody: every revision gets the same answer",
            hint="choose decline, cancel, accept-defaults or answer=JSON",
        )
    work = compare_revisions(wanted, revisions)
    raise main.Settled(run_on(given, chosen, work, connect=False))


_MEANS_HERE: Final = {
    "protocol": "Which revisions: handshake, modern, or the date of one [default: all].",
    "on_sampling": "What a question for a model gets, under every revision alike: decline"
    " (default), cancel, accept-defaults, answer=JSON or answer=@FILE.",
}


def _as_meant_here(option: click.Parameter) -> click.Parameter:
    """An option is the same object in all commands that have it."""
    if not isinstance(option, click.Option) or option.name not in _MEANS_HERE:
        return option
    own = copy(option)
    own.help = _MEANS_HERE[option.name]
    return own


matrix.params = [_as_meant_here(option) for option in matrix.params]


def _wanted(
    words: tuple[str, ...], args: str | None, as_prompt: bool, as_resource: bool
) -> "Wanted":
    from inspector.cli.arguments import ToolArguments, prompt_arguments
    from inspector.era_matrix import Wanted

    if as_prompt and as_resource:
        raise UsageError("--prompt and --read exclude each other")
    if not words:
        what = "prompt's name" if as_prompt else "tool's name"
        raise UsageError(f"the {_URI if as_resource else what} is missing")
    name, *rest = words
    if not (as_prompt or as_resource):
        arguments = ToolArguments(rest, args)
        return Wanted("tools/call", name, read=arguments.with_schema)
    if args is not None:
        raise UsageError("--args is for tools")
    if as_prompt:
        return Wanted("prompts/get", name, prompt_arguments(rest))
    if rest:
        raise UsageError(f"unexpected word {rest[0]!r}: a resource has no arguments")
    return Wanted("resources/read", name)


def revisions_of(protocol: str | None) -> Sequence[Revision]:
    """The revisions that `--protocol` leaves; all of them without it."""
    match protocol:
        case None | "auto":
            return REVISIONS
        case "handshake":
            return HANDSHAKE_REVISIONS
        case "modern":
            return MODERN_REVISIONS
    if (one := parse_revision(protocol)) is None:
        raise UsageError(
            f"cannot speak the protocol {protocol!r}",
            hint=f"choose auto, handshake, modern or {', '.join(REVISIONS)}",
        )
    return (one,)
