"""Click's commands and groups with the manners of this program, and what all help has in common.

Decides how help leaves: through `inspector.cli.output`, whose failures have their exit codes. What
the commands are is `inspector.cli.main`.
"""

from typing import Final

import click

from inspector.cli.output import EXIT_CODES, Output

HEAD: Final = """\
Inspect and debug MCP servers from the terminal.

\b
mcp-inspect                             the connect screen
mcp-inspect [OPTIONS] URL               the interface on an HTTP server
mcp-inspect [OPTIONS] -- COMMAND [ARG]  the interface on a stdio server
mcp-inspect [OPTIONS] --server NAME     the interface on a config file's entry
mcp-inspect demo                        the interface on the demo server
mcp-inspect open FILE                   the interface on a recording
"""

EXAMPLES: Final = """\
\b
Examples:
  mcp-inspect -- python server.py
  mcp-inspect https://example.com/mcp --bearer-env TOKEN
  mcp-inspect list tools -- python server.py
  mcp-inspect call add a:=2 b:=3 --json -- python server.py
  mcp-inspect info --server NAME --trust
  mcp-inspect lint -- python server.py
"""

EXITS: Final = "\b\n" + EXIT_CODES

TARGET: Final = """\
TARGET is a URL, or -- COMMAND [ARG]..., or --server NAME. Results go to stdout, everything else to
stderr.

"""

END: Final = TARGET + EXITS

HELP: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Command(click.Command):
    """A command whose help is a result like any other."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Click's option, with our way out."""
        return _leaving_by_output(super().get_help_option(ctx))


class Group(click.Group):
    """A group of such commands; to name none of them is wrong usage."""

    command_class = Command

    def __init__(self, *args: object, **kwargs: object) -> None:
        kwargs.setdefault("no_args_is_help", False)
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Click's option, with our way out."""
        return _leaving_by_output(super().get_help_option(ctx))


def _leaving_by_output(option: click.Option | None) -> click.Option | None:
    if option is not None:
        option.callback = _show_help
    return option


def _show_help(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        Output().result_text(f"{ctx.get_help()}\n")
        ctx.exit()
