"""The shell script, run by a real shell against real servers."""

import json
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
from tests.hostile.commands_recording import TRAPS
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


def test_hostile_texts_reach_the_program_as_they_were_and_run_nothing(tmp_path: Path) -> None:
    talk = Conversation()
    sent = [
        talk.sent(request(number, "tools/call", name="n", arguments={"a": text + trap}))
        for number, text in enumerate([*TEXTS.values(), *TRAPS.values()])
        for trap in ("$(touch ran) `touch ran` '; touch ran #",)
    ]
    done = _run(exported(talk.journal, "curl"), tmp_path, WAIT="0")
    assert {path.name for path in tmp_path.iterdir()} == {"again.sh"}
    assert done.returncode == 0, done.stderr
    read = [json.loads(line) for line in done.stdout.splitlines()]
    assert read == [json.loads(talk.journal.body(number)) for number in sent]


CURL = """#!/bin/bash
printf '%s\\0' "$@" >> "$LOG"
printf '\\n\\0' >> "$LOG"
"""


def test_what_a_hostile_recording_holds_is_never_an_option_of_curl(tmp_path: Path) -> None:
    """`-o`, `-K` and `@file` would write and read files of whoever runs the script."""
    for folder in ("bin", "run"):
        (tmp_path / folder).mkdir()
    (tmp_path / "bin" / "curl").write_text(CURL)
    (tmp_path / "bin" / "curl").chmod(0o755)
    talk = Conversation()
    nasty = [*TEXTS.values(), *TRAPS.values()]
    for text in nasty:
        plain = f"http://h.example/{text}"
        for method, url in (("POST", text), (text, plain), ("POST", plain)):
            sent = talk.sent(text.encode("utf-8", "surrogatepass"))
            headers = ((text, "x"), ("X-A", text))
            facts = HttpFacts(method, url, headers, 200)
            talk.journal.http(facts, connection=talk.connection, frame=sent)
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    script = exported(talk.journal, "curl")
    done = _run(script, tmp_path / "run", PATH=path, LOG=str(tmp_path / "log"))
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"again.sh"}
    runs = (tmp_path / "log").read_bytes().decode("utf-8", "surrogateescape").split("\0\n\0")[:-1]
    assert len(runs) >= len(nasty)
    for words in (run.split("\0") for run in runs):
        values = iter(words)
        for word in values:
            assert word in {"-sS", "-N", "-g", "--proto", "--url", "-X", "-H", "--data-raw"}, word
            if word in ("--url", "-X", "-H", "--data-raw", "--proto"):
                value = next(values)
                assert word != "--url" or value.startswith("http://h.example/")
                assert word != "-H" or value[:1] != "@"
        assert "--data-raw" in words


def test_a_dollar_sign_that_was_recorded_asks_for_nothing() -> None:
    talk = Conversation()
    sent = talk.sent(request(1, "tools/call", name="$HOME_OF ${OTHER_THING}"))
    facts = HttpFacts("POST", "http://127.0.0.1:9/$WHERE_TO", (), 200)
    talk.journal.http(facts, connection=talk.connection, frame=sent)
    assert ":?" not in exported(talk.journal, "curl").decode()
