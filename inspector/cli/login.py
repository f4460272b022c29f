"""`mcp-inspect login` and `logout`: a token for a protected server, and its end.

Only the commands themselves; what they do and print is `inspector.cli.authorizing`, loaded when it
is needed.
"""

from typing import Final

import click

from inspector.cli.commands import END, HELP, Command
from inspector.cli.options import Chosen, target_options
from inspector.errors import UsageError

_NEEDS_URL: Final = "authorization is for servers on a URL; a program on this machine gets its"
_NEEDS_URL_END: Final = " secrets with --env"


@click.command(cls=Command, epilog=END, context_settings=HELP)
@click.argument("words", nargs=-1, metavar="TARGET")
@click.option("--paste", is_flag=True, help="The browser is elsewhere: paste where it ended.")
@click.option("--no-browser", is_flag=True, help="Open none; the address is printed anyway.")
@target_options
def login(words: tuple[str, ...], paste: bool, no_browser: bool, **options: object) -> None:
    """Gets a token for a protected server, and keeps it.

    \b
    mcp-inspect login https://example.com/mcp
    mcp-inspect login --paste https://example.com/mcp        from a remote shell
    mcp-inspect login --client-credentials --client-id ID \\
      --client-secret-env VAR URL

    Each step is printed as it happens: where the metadata was found, which client we are, what was
    asked for. The browser's answer is awaited on 127.0.0.1 for five minutes. The token goes into
    your keyring, or into a file that only you can read, or nowhere with --no-store; the other
    commands and the interface find it there, refresh it, and never open a browser by themselves.
    """
    from inspector.cli import authorizing, main
    from inspector.cli.starting import run_on

    rest, given, chosen = main.target_of(words, options)
    main.only(rest)
    _check(chosen)
    if paste and no_browser:
        raise UsageError("--paste opens no browser anyway")
    person = authorizing.person(given, chosen, paste=paste, browser=not no_browser)
    raise main.Settled(run_on(given, chosen, authorizing.login, connect=False, person=person))


@click.command(cls=Command, epilog=END, context_settings=HELP)
@click.argument("words", nargs=-1, metavar="TARGET")
@target_options
def logout(words: tuple[str, ...], **options: object) -> None:
    """Ends the tokens of a server: revokes, then deletes them.

    They are revoked where the authorization server can do that, and deleted in any case. A client
    that was registered dynamically is kept for the next login.
    """
    from inspector.cli import authorizing, main
    from inspector.cli.starting import run_on

    rest, given, chosen = main.target_of(words, options)
    main.only(rest)
    _check(chosen)
    raise main.Settled(run_on(given, chosen, authorizing.logout, connect=False))


def _check(chosen: Chosen) -> None:
    target = chosen.target
    if not target.url:
        raise UsageError(_NEEDS_URL + _NEEDS_URL_END)
    if any(name.lower() == "authorization" for name, _ in target.headers):
        raise UsageError(
            "with an Authorization header of your own there is nothing to log in or out of",
            hint="leave --bearer or --header out",
        )
