"""Nothing of a config file starts before the user saw the exact command and agreed.

`--trust` agrees for this run; a yes at the prompt is remembered for exactly this entry.
"""

import sys

import click

from inspector.cli import skeleton
from inspector.cli.options import Chosen
from inspector.config.trust import TrustStore, describe, needs_trust
from inspector.errors import InspectorError, UsageError
from inspector.render.safe import visible


def agree(chosen: Chosen, *, trusted: bool) -> None:
    """Returns where `chosen` may be started. Raises UsageError where nobody agreed.

    Judged is the entry as the file has it: what the user adds on the command line is their own.
    """
    found = chosen.found
    target = found.target if found is not None else None
    if found is None or target is None or not needs_trust(target) or trusted:
        return
    store = TrustStore()
    if store.is_trusted(target):
        return
    lines = [visible(line) for line in describe(target)]
    lines += [f"note       {visible(note)}" for note in found.notes]
    skeleton.leave()
    click.echo("This entry of a config file has not been agreed to, or has changed:", err=True)
    click.echo("\n".join(f"  {line}" for line in lines), err=True)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "a config file's entry starts only after you agreed to it",
            hint="if that is what you want, add --trust",
            kind="trust",
            fault="config",
        )
    if not click.confirm("Start it, now and in future while it is unchanged?", err=True):
        raise UsageError("not started", kind="trust")
    try:
        store.trust(target)
    except InspectorError as error:
        click.echo(visible(f"mcp-inspect: the answer is not remembered: {error.message}"), err=True)
