"""Records a session with a real server, for exports that are run against it again."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from inspector.config.targets import Target
from inspector.export.formats import format_named
from inspector.export.redaction import Redaction
from inspector.export.source import Source, select
from inspector.journal.loading import load_recording
from inspector.protocol.messages import JsonObject
from inspector.session.asks import AskKind, Policy
from inspector.session.options import Options
from inspector.workbench import Workbench

LIMIT = 60.0
Calls = Sequence[tuple[str, JsonObject]]
ANSWERS: Mapping[AskKind, Policy] = {
    "elicitation": Policy("answer", {"action": "accept", "content": {"name": "Ada", "size": "M"}}),
    "sampling": Policy(
        "answer",
        {"role": "assistant", "content": {"type": "text", "text": "Forty-two."}, "model": "m"},
    ),
}


def record(
    target: Target,
    path: Path,
    calls: Calls,
    *,
    protocol: str = "handshake",
    prompts: Sequence[str] = (),
    resources: Sequence[str] = (),
) -> None:
    """One session with these calls."""

    async def go() -> None:
        options = Options(protocol=protocol, record=path, policies=ANSWERS)
        async with asyncio.timeout(LIMIT), Workbench(target, options=options) as bench:
            state = await bench.connect()
            assert state.error is None, state.error
            await bench.session.catalog.refresh("tools")
            for name, arguments in calls:
                await (await bench.session.call_tool(name, arguments)).wait()
            for name in prompts:
                await (await bench.session.get_prompt(name)).wait()
            for uri in resources:
                await (await bench.session.read_resource(uri)).wait()

    asyncio.run(go())


def export(recording: Path, name: str, text: str = "") -> bytes:
    """A recording in a format."""
    journal = load_recording(recording)
    source = Source(journal, select(journal, text), Redaction())
    return b"".join(format_named(name).write(source))


def run_tests(file: Path, **environ: str) -> tuple[int, str]:
    """Runs a generated file as its user does, in an empty place: exit code and output."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "MCP_", "COV"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)],
        cwd=file.parent,
        env={**kept, **environ},
        capture_output=True,
        text=True,
        timeout=2 * LIMIT,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr
