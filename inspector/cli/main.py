"""The commands, and what happens around each of them: help, wrong usage, trust, crashes.

Every command is a thin shell: it gathers options, takes the target off the end of its words, and
hands over to `inspector.cli.headless` or to the terminal interface, which are imported only then.
"""

import sys
from collections.abc import Mapping

import click

from inspector.cli import crash, grammar, output, skeleton
from inspector.cli.commands import END, EXAMPLES, EXITS, HEAD, HELP, Group
from inspector.cli.configuration import config
from inspector.cli.diff import diff
from inspector.cli.export import export
from inspector.cli.grammar import Words, is_url
from inspector.cli.lint import lint
from inspector.cli.login import login, logout
from inspector.cli.matrix import matrix
from inspector.cli.open import open_
from inspector.cli.options import (
    ONE_TARGET,
    Chosen,
    Given,
    choose,
    no_server,
    server_hint,
    split_target,
    target_options,
)
from inspector.cli.output import BrokenOutput, Output
from inspector.cli.starting import DEMO, interface, run_on
from inspector.cli.suite import conformance_client
from inspector.config.targets import Target
from inspector.errors import InspectorError, UsageError


class Settled(Exception):
    """A command has run; carries its exit code out of click."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def run(words: Words) -> int:
    """Runs a command line and returns its exit code. The outermost border: nothing escapes."""
    as_json = "--json" in words.arguments
    try:
        return _run(words)
    except InspectorError as error:
        return Output(as_json=as_json).failure(error)
    except BrokenOutput:
        output.silence_stdout()
        return output.SIGNALLED + 13
    except (KeyboardInterrupt, click.Abort):
        skeleton.leave()
        return output.SIGNALLED + 2
    except Exception as error:  # noqa: BLE001 - the border of the program
        from inspector.cli.refused import refused

        if (failure := refused(error)) is not None:
            return Output(as_json=as_json).failure(failure)
        return crash.report(error)


def _run(words: Words) -> int:
    arguments = [words.command, *words.arguments]
    if words.command == grammar.INTERFACE and not {"-h", "--help", "--version"}.isdisjoint(
        words.arguments
    ):
        arguments = ["--version" if "--version" in words.arguments else "--help"]
    try:
        # Outside its standalone mode click returns the code that `Context.exit` was given.
        code = cli.main(
            arguments, prog_name="mcp-inspect", standalone_mode=False, obj=words.program
        )
    except Settled as settled:
        return settled.code
    except click.Abort:
        raise
    except click.UsageError as error:
        hint = f"see `{error.ctx.command_path} --help`" if error.ctx is not None else ""
        raise UsageError(error.format_message(), hint=hint) from None
    except BrokenPipeError:
        raise BrokenOutput from None
    return code if isinstance(code, int) else output.DONE


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        Output().result_text(f"mcp-inspect {version('mcp-inspect')}\n")
        ctx.exit()


class Commands(Group):
    """The commands in the order of the help text, not of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All but the interface, which needs no word."""
        return list(grammar.COMMANDS)


@click.group(cls=Commands, help=HEAD, epilog=f"{EXAMPLES}\n{EXITS}", context_settings=HELP)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version)
def cli() -> None:
    """The group; every command does its own work."""


# -- what commands share --


def _program() -> tuple[str, ...] | None:
    """What stands after `--`."""
    program: tuple[str, ...] | None = click.get_current_context().find_root().obj
    return program


def target_of(
    words: tuple[str, ...], options: Mapping[str, object]
) -> tuple[tuple[str, ...], Given, Chosen]:
    """The words that are left, the options, and the target, which must be there."""
    given = Given.take(options)
    rest, url = split_target(words, given, _program())
    chosen = choose(given, url, _program())
    if chosen is None:
        command = click.get_current_context().info_name or ""
        spare = rest[-1] if len(rest) > (0 if command == "info" else 1) else ""
        if what := no_server(spare):
            raise UsageError(f"no server is named: {what}", hint=server_hint(spare))
        raise UsageError(
            "no server is named",
            hint="end with a URL or with -- COMMAND, or add --server NAME",
        )
    return rest, given, chosen


def only(words: tuple[str, ...], *names: str) -> tuple[str, ...]:
    """Exactly the words that the command takes; says which are missing or too many."""
    if len(words) > len(names):
        unexpected = words[len(names)]
        if is_url(unexpected):
            raise UsageError("more than one target is given", hint=ONE_TARGET)
        raise UsageError(
            f"unexpected word {unexpected!r}",
            hint="a program to start stands after --, and a URL last",
        )
    if len(words) < len(names):
        raise UsageError(f"{names[len(words)]} is missing")
    return words


# -- the interface --


cli.add_command(config)
cli.add_command(open_)
cli.add_command(login)
cli.add_command(logout)
cli.add_command(matrix)
cli.add_command(lint)
cli.add_command(diff)
cli.add_command(export)
cli.add_command(conformance_client)


@cli.command(grammar.INTERFACE, hidden=True)
@click.argument("words", nargs=-1)
@target_options
def tui(words: tuple[str, ...], **options: object) -> None:
    """The terminal interface."""
    given = Given.take(options)
    rest, url = split_target(words, given, _program())
    if rest:
        if what := no_server(rest[0]):
            raise UsageError(what, hint=server_hint(rest[0]))
        from difflib import get_close_matches

        close = get_close_matches(rest[0], grammar.COMMANDS, 1)
        start = f"to start a program: mcp-inspect -- {' '.join(rest)}"
        raise UsageError(
            f"there is no command {rest[0]!r}",
            hint=f"did you mean {close[0]!r}? Or, {start}" if close else start,
        )
    raise Settled(interface(given, choose(given, url, _program())))


@cli.command(epilog=EXITS, context_settings=HELP)
@target_options
def demo(**options: object) -> None:
    """The interface on the built-in demo server."""
    from importlib.util import find_spec

    given = Given.take(options)
    if _program() is not None or given.server is not None:
        raise UsageError("demo has its own server; leave the other one out")
    if find_spec("mcp") is None:
        raise InspectorError(
            "the demo server needs the official MCP SDK",
            hint="pip install 'mcp-inspect[demo]'",
            kind="missing-extra",
            fault="config",
        )
    program = (sys.executable, "-m", "inspector.demo")
    raise Settled(interface(given, Chosen(Target(program, transport="stdio", name=DEMO))))


# -- headless --


@cli.command(epilog=END, context_settings=HELP)
@click.argument("words", nargs=-1, metavar="TARGET")
@target_options
def info(words: tuple[str, ...], **options: object) -> None:
    """Who the server is, and what both sides agreed on and can do."""
    from inspector.cli import headless

    rest, given, chosen = target_of(words, options)
    only(rest)
    raise Settled(run_on(given, chosen, headless.info))


@cli.command("list", epilog=END, context_settings=HELP)
@click.argument("words", nargs=-1, metavar="tools|resources|templates|prompts|all TARGET")
@target_options
def list_(words: tuple[str, ...], **options: object) -> None:
    """What the server offers, from all pages.

    What the server does not declare it is not asked for: that list is empty, and a note on stderr
    says so. With `all` a list that the server refuses is empty too, with exit code 1.
    """
    from inspector.cli import headless

    rest, given, chosen = target_of(words, options)
    (kind,) = only(rest, "what to list (tools, resources, templates, prompts or all)")
    if kind not in headless.KINDS:
        from difflib import get_close_matches

        close = get_close_matches(kind, headless.KINDS, 1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise UsageError(f"{kind!r} cannot be listed", hint=hint + f"({', '.join(headless.KINDS)})")
    raise Settled(run_on(given, chosen, headless.list_items(kind)))


@cli.command(epilog=END, context_settings=HELP)
@click.argument("words", nargs=-1, metavar="TOOL [key=text | key:=json | key@=file]... TARGET")
@click.option("--args", metavar="JSON", help="All arguments; @FILE reads a file, - stdin.")
@target_options
def call(words: tuple[str, ...], args: str | None, **options: object) -> None:
    """Calls a tool.

    \b
    mcp-inspect call add a:=2 b:=3 -- python server.py
    mcp-inspect call greet name=Ada http://127.0.0.1:8000/mcp
    mcp-inspect call plan --args @plan.json --on-elicitation ask -- ./server

    key=text is read as the tool's schema says (a number where it knows no string), and is a string
    where that does not fit. key:=json goes out exactly as typed. key@=file is the text of a file.
    Nothing is held back for being wrong. Where the server refuses, stderr says what does not fit
    the tool's schema, and likewise where its structured content does not fit its own.
    """
    from inspector.cli import headless
    from inspector.cli.arguments import ToolArguments

    rest, given, chosen = target_of(words, options)
    if not rest:
        raise UsageError("the tool's name is missing")
    arguments = ToolArguments(rest[1:], args)
    raise Settled(run_on(given, chosen, headless.call_tool(rest[0], arguments)))


@cli.command(epilog=END, context_settings=HELP)
@click.argument("words", nargs=-1, metavar="URI TARGET")
@target_options
def read(words: tuple[str, ...], **options: object) -> None:
    """Reads a resource.

    Of a template, give the URI with its {parts} filled in.
    """
    from inspector.cli import headless

    rest, given, chosen = target_of(words, options)
    (uri,) = only(rest, "the resource's URI")
    raise Settled(run_on(given, chosen, headless.read(uri)))


@cli.command(epilog=END, context_settings=HELP)
@click.argument("words", nargs=-1, metavar="NAME [key=text]... TARGET")
@target_options
def prompt(words: tuple[str, ...], **options: object) -> None:
    """Gets a prompt.

    Arguments are strings; key@=file is the text of a file. Where a required one is missing, stderr
    says so, and the prompt is asked for all the same.
    """
    from inspector.cli import headless
    from inspector.cli.arguments import prompt_arguments

    rest, given, chosen = target_of(words, options)
    if not rest:
        raise UsageError("the prompt's name is missing")
    arguments = prompt_arguments(rest[1:])
    raise Settled(run_on(given, chosen, headless.prompt(rest[0], arguments)))


@cli.command(epilog=END, context_settings=HELP)
@click.argument("words", nargs=-1, metavar="METHOD [PARAMS-JSON] TARGET")
@target_options
def request(words: tuple[str, ...], **options: object) -> None:
    """Sends any request as it stands, whatever was negotiated.

    \b
    mcp-inspect request tools/call '{"name": "add"}' -- python server.py

    PARAMS-JSON may be @FILE, or - for stdin.
    """
    from inspector.cli import headless
    from inspector.cli.arguments import request_params

    rest, given, chosen = target_of(words, options)
    names = ("the method", "PARAMS-JSON")
    method, *params = only(rest, *names[: max(1, len(rest))])
    work = headless.request(method, request_params(params[0] if params else None))
    raise Settled(run_on(given, chosen, work))
