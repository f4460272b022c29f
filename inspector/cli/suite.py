"""`mcp-inspect conformance-client`: the word by which the official conformance suite starts us.

Only the command itself; what it does is `inspector.cli.conformance`, loaded when it is needed.
"""

import click

from inspector.cli.commands import EXITS, HELP, Command
from inspector.cli.output import Output
from inspector.config.targets import Target, check_url


@click.command("conformance-client", cls=Command, epilog=EXITS, context_settings=HELP)
@click.argument("url", metavar="URL")
@click.option("-v", "--verbose", is_flag=True, help="Show the server's stderr.")
def conformance_client(url: str, verbose: bool) -> int:
    """The client that the official conformance suite tests.

    \b
    conformance client --scenario tools_call \\
      --command "mcp-inspect conformance-client"

    The scenario, the revision and what the scenario needs to know are read from the environment
    (MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_PROTOCOL_VERSION, MCP_CONFORMANCE_CONTEXT). It never
    asks anybody: elicitations are accepted with their defaults, and the consent of an authorization
    is fetched without a browser.
    """
    from inspector.cli.conformance import assignment, work_of
    from inspector.cli.conformance_person import SuitePerson
    from inspector.cli.running import run_headless

    assigned = assignment()
    out = Output(verbose=verbose)
    with assigned.oauth() as choice:
        target = Target(url=check_url(url), transport="http", oauth=choice)
        work = work_of(assigned)
        return run_headless(target, assigned.options(), out, work, person=SuitePerson())
