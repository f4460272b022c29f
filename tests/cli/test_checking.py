"""Remarks on stderr that explain an answer and change nothing of it."""

import json

import pytest

from tests.cli.running import Runner, scripted

SCHEMA = '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}'
TOOLS = f'{{"tools":[{{"name":"count","inputSchema":{SCHEMA},"outputSchema":{SCHEMA}}}]}}'
FINE = '{"content":[],"structuredContent":{"n":1}}'
REFUSED = 'ERROR {"code":-32602,"message":"no such tool"}'
TARGET = scripted(tools_list=TOOLS, tools_call=FINE)


def test_a_tool_that_is_not_listed_is_asked_all_the_same(run: Runner) -> None:
    done = run("call", "cuont", "--json", *scripted(tools_list=TOOLS, tools_call=REFUSED))
    assert done.code == 1
    assert json.loads(done.stdout)["error"]["code"] == -32602
    (told,) = done.stderr.splitlines()
    assert "lists no tool 'cuont' (did you mean 'count'?); asked all the same" in told


def test_arguments_that_the_schema_forbids_are_sent_and_named(run: Runner) -> None:
    done = run("call", "count", "n=1.5", "--json", *TARGET)
    assert done.code == 0
    assert "the arguments do not fit inputSchema: /n: " in done.stderr
    assert run("call", "count", "n=1", "--json", *TARGET).stderr == ""


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ('{"structuredContent":{"n":"x"}}', "does not fit its outputSchema: /n: "),
        ('{"structuredContent":{}}', "does not fit its outputSchema: /n: required"),
        ('{"content":[],"structuredContent":{"n":2}}', ""),
    ],
)
def test_structured_content_is_judged_beside_the_result(
    run: Runner, result: str, told: str
) -> None:
    done = run("call", "count", "n:=1", "--json", *scripted(tools_list=TOOLS, tools_call=result))
    assert done.code == 0
    assert done.json == json.loads(result)
    assert told in done.stderr
    assert bool(done.stderr) == bool(told)


def test_a_result_without_the_structured_content_that_was_promised_is_named(run: Runner) -> None:
    target = scripted(tools_list=TOOLS, tools_call='{"content":[]}')
    assert "the result no structuredContent" in run("call", "count", "n=1", *target).stderr


def test_a_prompt_goes_out_without_its_required_argument(run: Runner) -> None:
    prompts = '{"prompts":[{"name":"p","arguments":[{"name":"city","required":true}]}]}'
    target = scripted(prompts_list=prompts, prompts_get='{"messages":[]}')
    done = run("prompt", "p", "ciyt=Oslo", "--json", *target)
    assert (done.code, done.json) == (0, {"messages": []})
    assert done.stderr.splitlines() == [
        "mcp-inspect: the prompt requires the argument 'city'; sent without it",
        "mcp-inspect: the prompt declares no argument 'ciyt' (did you mean 'city'?)",
    ]
    assert run("prompt", "p", "city=Oslo", "--json", *target).stderr == ""
    assert "lists no prompt 'q'" in run("prompt", "q", *target).stderr


def test_a_list_that_fails_costs_the_remark_only(run: Runner) -> None:
    done = run("call", "count", "--json", *scripted(tools_call=FINE))
    assert (done.code, done.stderr) == (0, "")
