"""From a parsed command line to the work: settings, agreement, secrets, and then a headless run or
the terminal interface, which are imported only then.
"""

import gc
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from inspector.cli import crash, skeleton
from inspector.cli.options import Chosen, Given, session_options
from inspector.cli.output import Output
from inspector.config.targets import Target
from inspector.errors import InspectorError, UsageError

if TYPE_CHECKING:
    from inspector.auth.person import Person
    from inspector.cli.running import Work
    from inspector.config.settings import Settings

DEMO: Final = "demo"
"""The name of the built-in server as a target."""


def run_on(
    given: Given,
    chosen: Chosen,
    work: "Work",
    *,
    connect: bool = True,
    patient: bool = False,
    person: "Person | None" = None,
) -> int:
    """Does `work` on the target, once it is agreed to; the exit code. `person` can be asked to log
    in; a `patient` run gives the server more time to end."""
    from inspector.cli.consent import agree
    from inspector.cli.running import run_headless

    options = session_options(given, user_settings(), headless=True)
    _protect(chosen.target)
    agree(chosen, trusted=given.trust)
    out = Output(as_json=given.as_json, verbose=given.verbose)
    gc.freeze()
    gc.enable()
    store = None
    if chosen.target.url:
        from inspector.auth.late import UnopenedStore

        store = UnopenedStore(given.auth.no_store, out.note)
    return run_headless(
        chosen.target,
        options,
        out,
        work,
        connect=connect,
        patient=patient,
        person=person,
        store=store,
    )


def interface(given: Given, chosen: Chosen | None) -> int:
    from inspector.cli.consent import agree

    if given.as_json:
        raise UsageError("--json is for the commands that print a result")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "the interface needs a terminal",
            hint="without one use info, list, call, read, prompt or request",
        )
    settings = user_settings()
    options = session_options(given, settings, headless=False)
    if chosen is not None:
        _protect(chosen.target)
        agree(chosen, trusted=given.trust)
    from inspector.tui.start import start

    return start(
        chosen.target if chosen is not None else None,
        options,
        theme=settings.theme,
        opening=_remember,
        taken_over=skeleton.handed_over,
        no_store=given.auth.no_store,
    )


def _remember(target: Target) -> None:
    """For the connect screen; the demo is there anyway, and a full disk stops nothing."""
    from inspector.config.recents import Recents

    if target.name != DEMO:
        with suppress(InspectorError):
            Recents().remember(target)


def user_settings() -> "Settings":
    """The user's settings; what is wrong with them is said on stderr."""
    from inspector.config.settings import load_settings

    loaded = load_settings()
    for problem in loaded.problems:
        Output().note(problem)
    return loaded.settings


def _protect(target: Target) -> None:
    from inspector.journal.target_secrets import secrets_of

    crash.keep_secret([*target.env.values(), *(value for _, value in target.headers)])
    crash.keep_secret(secrets_of(target))
