"""Every tool of npm's server-everything, called headless: what is printed is the answer that came
through the pipe, and the recording holds every line of both directions."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pytest

from tests.cli.running import Runner
from tests.peers.evidence import Tapped, frames, group_is_gone, recorded, run_tapped
from tests.peers.exact import exact, exact_object, result_of
from tests.servers import real

pytestmark = [pytest.mark.peer, pytest.mark.node]
DATA = "data=data:text/plain,hello"
PAGE = "url=https://example.com/agree"
RESEARCH = '{"name":"simulate-research-query","arguments":{"topic":"tides"},"task":{"ttl":60000}}'


@dataclass(frozen=True, slots=True)
class Case:
    """The words of a call, the exit code, and a text that the answer has."""

    words: tuple[str, ...]
    text: str
    code: int = 0


CASES = {
    "echo": Case(("echo", "message=h\u00e9 \u2028 \u202e"), "Echo: h\u00e9"),
    "annotated": Case(
        ("get-annotated-message", "messageType=error", "includeImage=true"), "failed"
    ),
    "env": Case(("get-env",), "PATH"),
    "links": Case(("get-resource-links", "count=2"), "resource_link"),
    "reference": Case(("get-resource-reference", "resourceType=Blob"), "blob"),
    "structured": Case(("get-structured-content", "location=Chicago"), "structuredContent"),
    "sum": Case(("get-sum", "a=1.10", "b=1e2"), "101.1"),
    "image": Case(("get-tiny-image",), "image/png"),
    "gzip": Case(("gzip-file-as-resource", DATA, "outputType=resource"), "H4sI"),
    "gzip-link": Case(("gzip-file-as-resource", DATA, "name=n.gz"), "session/n.gz"),
    "logging": Case(("toggle-simulated-logging",), "Started"),
    "updates": Case(("toggle-subscriber-updates",), "Started"),
    "long": Case(("trigger-long-running-operation", "duration=0.4", "steps=4"), "Steps: 4"),
    "roots": Case(("get-roots-list", "--root", "/srv/x"), "file:///srv/x"),
    "form-declined": Case(("trigger-elicitation-request",), "declined"),
    "form-defaults": Case(
        ("trigger-elicitation-request", "--on-elicitation", "accept-defaults"), "declined"
    ),
    "form-answered": Case(
        ("trigger-elicitation-request", "--on-elicitation", 'answer={"name":"Ada"}'), "Ada"
    ),
    "url-declined": Case(("trigger-url-elicitation", PAGE), "declined"),
    "url-agreed": Case(
        ("trigger-url-elicitation", PAGE, "--on-elicitation", 'answer={"action":"accept"}'),
        "completed",
    ),
    "url-as-error": Case(("trigger-url-elicitation", PAGE, "errorPath=true"), "-32042", code=1),
    "sampling-declined": Case(("trigger-sampling-request", "prompt=hi"), "rejected", code=1),
    "sampling-answered": Case(
        ("trigger-sampling-request", "prompt=hi", "--on-sampling", 'answer="from a test"'),
        "from a test",
    ),
    "no-such-tool": Case(("no-such-tool",), "not found", code=1),
}


@pytest.fixture(scope="module")
def runs(run: Runner, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Tapped]:
    """The run of a case, made when it is first wanted."""
    folder = tmp_path_factory.mktemp("tools")
    words = {name: ("call", "--json", *case.words) for name, case in CASES.items()}
    words["task"] = ("request", "--json", "tools/call", RESEARCH)
    words["research"] = ("call", "--json", "simulate-research-query", "topic=tides")
    return cache(
        lambda name: run_tapped(run, folder / name, words[name], real.everything().command)
    )


@pytest.fixture(scope="module", params=CASES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_call_prints_the_answer_that_came_and_says_how_it_went(
    runs: Callable[[str], Tapped], name: str
) -> None:
    one, case = runs(name), CASES[name]
    assert one.done.code == case.code, one.done
    assert case.text in one.done.stdout
    answer = exact_object(one.answer_to("tools/call"))
    if answer.has("error"):
        assert exact_object(one.done.stdout)["error"] == answer["error"]
    else:
        assert exact(one.done.stdout) == answer["result"]


def test_nothing_that_crossed_the_pipes_is_missing_from_the_recording(
    runs: Callable[[str], Tapped], name: str
) -> None:
    one = runs(name)
    assert frames(one.recording, "out") == one.sent
    assert frames(one.recording, "in") == one.received


def test_no_process_of_the_server_is_left(runs: Callable[[str], Tapped], name: str) -> None:
    assert group_is_gone(runs(name).log)


def test_every_tool_that_the_server_offers_is_called_here(run: Runner) -> None:
    done = run("list", "tools", "--json", "--", *real.everything().command)
    tools = {tool["name"] for tool in json.loads(done.stdout)["tools"]}
    assert tools - {case.words[0] for case in CASES.values()} == {"simulate-research-query"}


def test_progress_of_a_long_call_is_asked_for_and_recorded(runs: Callable[[str], Tapped]) -> None:
    notes = [json.loads(raw) for raw in frames(runs("long").recording, "in")]
    steps = [
        note["params"]["progress"]
        for note in notes
        if note.get("method") == "notifications/progress"
    ]
    assert steps == [1, 2, 3, 4]


def test_numbers_go_out_as_they_were_typed(runs: Callable[[str], Tapped]) -> None:
    call = next(line for line in runs("sum").sent if b"tools/call" in line)
    assert b'"a":1.10' in call
    assert b'"b":1e2' in call


def test_a_request_for_a_task_brings_the_task_that_the_server_made(
    runs: Callable[[str], Tapped],
) -> None:
    one = runs("task")
    assert one.done.code == 0
    assert exact(one.done.stdout) == result_of(one.answer_to("tools/call"))
    assert '"taskId"' in one.done.stdout


def test_a_tool_that_can_only_run_as_a_task_is_called_as_one(runs: Callable[[str], Tapped]) -> None:
    one = runs("research")
    assert one.done.code == 0, one.done.stdout
    assert "tides" in one.done.stdout
    assert exact(one.done.stdout) == result_of(one.answer_to("tasks/result"))


def test_the_recording_says_how_the_server_ended(runs: Callable[[str], Tapped]) -> None:
    events = [json.loads(raw) for kind, raw in recorded(runs("echo").recording) if kind == "event"]
    assert [event["event"] for event in events][:2] == ["connection", "spawned"]
    assert events[-1]["event"] == "exited"
