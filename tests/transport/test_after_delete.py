"""What is said of a server that broke when we ended its first session."""

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed
from inspector.transport.after_delete import BROKEN
from inspector.workbench import Options, Workbench
from tests.servers.rude_http import rude_http

QUIET = Options(no_record=True, protocol="2025-11-25")


async def test_a_server_that_breaks_at_our_delete_is_told_as_that() -> None:
    async with (
        rude_http("breaks-at-delete") as peer,
        Workbench(Target(url=peer.url), options=QUIET) as bench,
    ):
        assert (await bench.connect()).ready
        error = (await bench.reconnect()).error
        assert isinstance(error, ConnectionFailed)
        rows = [bench.journal.row(number) for number in range(1, len(bench.journal) + 1)]
        (deleted,) = [row.number for row in rows if row.method == "DELETE"]
        assert error.hint == (
            f"it broke after our DELETE ended the session before (entry {deleted}): {BROKEN}"
        )


async def test_another_era_is_told_the_same() -> None:
    async with (
        rude_http("breaks-at-delete") as peer,
        Workbench(Target(url=peer.url), options=QUIET) as bench,
    ):
        assert (await bench.connect()).ready
        error = (await bench.speak("modern")).error
        assert error is not None
        assert error.hint.startswith("it broke after our DELETE")


async def test_who_was_not_there_when_it_broke_is_told_what_may_have_happened() -> None:
    async with rude_http("breaks-at-delete") as peer:
        for _ in range(2):
            async with Workbench(Target(url=peer.url), options=QUIET) as bench:
                error = (await bench.connect()).error
        assert error is not None
        assert error.message.startswith("HTTP 500")
        assert error.hint == f"if it has worked before: {BROKEN}"
