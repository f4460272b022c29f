"""The shell script, run by a real shell against real servers."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.journal.entries import Direction, HttpFacts, Kind
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.protocol.messages import JsonObject
from tests.export.canary import exported
from tests.export.real_session import LIMIT, export, record
from tests.journal.conversation import Conversation, request
from tests.servers import real
from tests.servers.hostile_texts import TEXTS


def _run(script: bytes, folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    file = folder / "again.sh"
    file.write_bytes(script)
    return subprocess.run(
        ["bash", str(file)],
        cwd=folder,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )


@pytest.mark.parametrize("package", ["mcp", "npm"])
def test_the_requests_of_an_http_session_run_as_printed(package: str, tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    served = real.python_url("mcp", "http") if package == "mcp" else real.everything_url("http")
    said: JsonObject = {"text": "it's ☂", "message": "it's ☂"}
    call = ("shout" if package == "mcp" else "echo", said)
    with served as url:
        target = Target(url=url, transport="http")
        record(target, tmp_path / "it.jsonl", [call])
        done = _run(export(tmp_path / "it.jsonl", "curl"), tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "serverInfo" in done.stdout
    assert "it's ☂" in done.stdout.lower()


def test_the_lines_of_a_stdio_session_run_as_a_pipeline(tmp_path: Path) -> None:
    target = real.rude_stdio("honest")  # answers all that it has read, also after its stdin ended
    record(target, tmp_path / "it.jsonl", [("echo", {"text": "it's ☂"})])
    recorded = load_recording(tmp_path / "it.jsonl")
    done = _run(export(tmp_path / "it.jsonl", "curl"), tmp_path, WAIT="0")
    assert done.returncode == 0, done.stderr
    answers = [line for line in done.stdout.splitlines() if '"result"' in line]
    assert len(answers) == recorded.received - sum(
        recorded.row(number).kind is not Kind.RESULT
        and recorded.row(number).kind.is_frame
        and recorded.row(number).direction is Direction.RECEIVED
        for number in range(1, len(recorded) + 1)
    )
    assert len(answers) >= 3


def test_what_is_masked_becomes_a_variable_that_is_asked_for(tmp_path: Path) -> None:
    journal = Journal()
    number = journal.begin_connection({})
    sent = journal.frame(
        Direction.SENT, b'{"jsonrpc":"2.0","id":1,"method":"ping"}', connection=number
    )
    headers = (("Authorization", "Bearer verysecret-1"), ("X-Api-Key", "k-123456"))
    facts = HttpFacts("POST", "http://127.0.0.1:9/", headers, 200)
    journal.http(facts, connection=number, frame=sent)
    script = exported(journal, "curl").decode()
    assert "-H 'Authorization: Bearer '\"${TOKEN}\"" in script
    assert "-H 'X-Api-Key: '\"${X_API_KEY}\"" in script
    assert "verysecret" not in script
    done = _run(script.encode(), tmp_path)
    assert done.returncode != 0
    assert "TOKEN: was masked: set it" in done.stderr


def test_a_post_whose_body_is_not_known_is_only_told_of() -> None:
    journal = Journal()
    number = journal.begin_connection({})
    journal.http(HttpFacts("POST", "http://127.0.0.1:9/token", (), 200), connection=number)
    script = exported(journal, "curl").decode()
    assert "not repeated" in script
    assert "\ncurl" not in script


@pytest.mark.parametrize("label", TEXTS)
def test_a_hostile_text_reaches_the_program_as_it_was_and_runs_nothing(
    label: str, tmp_path: Path
) -> None:
    import json

    text = TEXTS[label] + "$(touch ran) `touch ran` '; touch ran #"
    talk = Conversation()
    sent = request(1, "tools/call", name="n", arguments={"a": text})
    number = talk.sent(sent)
    raw = talk.journal.body(number)
    script = exported(talk.journal, "curl")
    done = _run(script, tmp_path, WAIT="0")
    assert not (tmp_path / "ran").exists()
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(raw)
