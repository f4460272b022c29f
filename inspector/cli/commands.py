"""Click's commands and groups with the manners of this program.

Decides how help leaves: through `inspector.cli.output`, whose failures have their exit codes. What
the commands are is `inspector.cli.main`.
"""

import click

from inspector.cli.output import Output


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
