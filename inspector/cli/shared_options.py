"""Options that many commands have in common, each made once.

Click makes an option anew for every command. Ours share thirty, and to make them all took a third
of the time in which the command line is loaded. Which options there are is decided elsewhere.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

import click

Command = TypeVar("Command", bound=Callable[..., object])

_made: Final[dict[tuple[str, ...], click.Option]] = {}


def shared_option(*names: str, **facts: Any) -> Callable[[Command], Command]:
    """`click.option` for one that is the same wherever it is declared under these names."""

    def option(_: Sequence[str], **given: Any) -> click.Option:
        found = _made.get(names)
        if found is None:
            found = _made[names] = click.Option(names, **given)
        return found

    return click.option(*names, cls=cast("type[click.Option]", option), **facts)
