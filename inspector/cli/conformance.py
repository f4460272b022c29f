"""`conformance-client`: what the official conformance suite runs, on the engine of every command.

The suite starts a server and gives its URL as the last word, the scenario, the revision and what
the scenario needs to know in the environment. Decides what each scenario has the client do, and
who answers when a page has to be visited; everything else is what the other commands do.
"""

import json
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from inspector.cli import output
from inspector.cli.conformance_person import CLIENT_DOCUMENT
from inspector.cli.running import Run
from inspector.config.oauth import OAuthChoice
from inspector.errors import PeerViolation, Undeclared, UsageError
from inspector.protocol.messages import Json, JsonObject, RawJson, Sendable, raw_members
from inspector.session.asks import AskKind, Policy
from inspector.session.catalog import ListKind
from inspector.session.options import Options
from inspector.session.pending import Call, Failure, Lost, Success

SCENARIO: Final = "MCP_CONFORMANCE_SCENARIO"
REVISION: Final = "MCP_CONFORMANCE_PROTOCOL_VERSION"
CONTEXT: Final = "MCP_CONFORMANCE_CONTEXT"
TIMEOUT: Final = 20.0
"""Seconds for a request: the suite gives a run 30."""
POLICIES: Final[Mapping[AskKind, Policy]] = {
    "elicitation": Policy("accept-defaults"),
    "elicitation-url": Policy("decline"),
    "sampling": Policy("accept-defaults"),
    "roots": Policy("accept-defaults"),
}


@dataclass(frozen=True, slots=True)
class Assignment:
    """What the suite wants of one run, read from its environment."""

    scenario: str
    revision: str
    context: JsonObject

    def options(self) -> Options:
        """The options of the run. Without a revision the era is found out."""
        return Options(
            protocol=self.revision or "auto", timeout=TIMEOUT, no_record=True, policies=POLICIES
        )

    @contextmanager
    def oauth(self) -> Iterator[OAuthChoice]:
        """As which client to go, for as long as the context is open: the suite's own where it gives
        one, and the metadata document that it knows. A private key lies in a file meanwhile."""
        client_id = self._text("client_id")
        choice = OAuthChoice(
            client_id=client_id,
            client_secret=self._text("client_secret"),
            client_metadata_url="" if client_id else CLIENT_DOCUMENT,
            issuer=self._text("issuer"),
            client_credentials=self.scenario.startswith("auth/client-credentials"),
            key_algorithm=self._text("signing_algorithm"),
        )
        key = self._text("private_key_pem")
        if not key:
            yield choice
            return
        with NamedTemporaryFile(prefix="mcp-inspect-", suffix=".pem") as file:
            file.write(key.encode())
            file.flush()
            yield replace(choice, private_key=Path(file.name))

    def _text(self, name: str) -> str:
        """A text of the context; empty where there is none."""
        value = self.context.get(name)
        return value if isinstance(value, str) else ""


def assignment(environ: Mapping[str, str] = os.environ) -> Assignment:
    """Reads the environment. Raises UsageError where the context is no JSON object."""
    given = environ.get(CONTEXT, "")
    try:
        context = json.loads(given) if given.strip() else {}
    except ValueError as error:
        raise UsageError(f"{CONTEXT} is no JSON: {error}") from None
    if not isinstance(context, dict):
        raise UsageError(f"{CONTEXT} is no JSON object")
    return Assignment(environ.get(SCENARIO, ""), environ.get(REVISION, ""), context)


def work_of(assigned: Assignment) -> Callable[[Run], Awaitable[int]]:
    """What the scenario has the client do; for most that is `call_first`."""
    script = _SCRIPTS.get(assigned.scenario, call_first)

    async def work(run: Run) -> int:
        run.out.note(f"{assigned.scenario or 'no scenario'}, {run.session.state.revision_text}")
        await script(run, assigned)
        return output.DONE

    return work


# -- scripts --


async def call_first(run: Run, _: Assignment) -> None:
    """Lists the tools and calls the first."""
    for tool in (await _items(run, "tools"))[:1]:
        await _call(run, tool)


async def call_all(run: Run, _: Assignment) -> None:
    """Lists the tools and calls each that may be called."""
    for tool in await _items(run, "tools"):
        try:
            await _call(run, tool)
        except Undeclared as refused:
            run.out.note(f"not called: {refused.message}")


async def list_tools(run: Run, _: Assignment) -> None:
    """Lists the tools, no more."""
    await _items(run, "tools")


async def add_numbers(run: Run, _: Assignment) -> None:
    """Lists the tools and adds two numbers."""
    await _items(run, "tools")
    await _called(run, "add_numbers", {"a": 5, "b": 3})


async def use_everything(run: Run, assigned: Assignment) -> None:
    """Calls all tools, reads all resources and gets all prompts."""
    await call_all(run, assigned)
    for resource in await _items(run, "resources"):
        uri = resource.get("uri")
        await _settled(run, await run.session.request("resources/read", {"uri": uri}))
    for prompt in await _items(run, "prompts"):
        params: dict[str, Sendable] = {"name": prompt.get("name")}
        await _settled(run, await run.session.request("prompts/get", params))


async def replay_calls(run: Run, assigned: Assignment) -> None:
    """Makes the calls of the context exactly."""
    await _items(run, "tools")
    calls = assigned.context.get("toolCalls")
    if not isinstance(calls, list):
        raise UsageError(f"{CONTEXT} has no toolCalls")
    for call in calls:
        if isinstance(call, dict) and isinstance(name := call.get("name"), str):
            await _called(run, name, call.get("arguments"))


async def echo_schema(run: Run, _: Assignment) -> None:
    """Sends the schema of the other tool back, token for token."""
    await _items(run, "tools")
    found = run.session.catalog["tools"]
    for item, raw in zip(found.items, found.raw, strict=True):
        if isinstance(item, dict) and item.get("name") != "json_schema_echo":
            schema = RawJson(raw_members(raw)["inputSchema"])
            await _called(run, "json_schema_echo", {"schema": schema})
            return


_SCRIPTS: Final[Mapping[str, Callable[[Run, Assignment], Awaitable[None]]]] = {
    "initialize": list_tools,
    "tools_call": add_numbers,
    "request-metadata": list_tools,
    "http-standard-headers": use_everything,
    "http-custom-headers": replay_calls,
    "http-invalid-tool-headers": call_all,
    "json-schema-ref-no-deref": list_tools,
    "json-schema-2020-12-preservation": echo_schema,
    "sep-2322-client-request-state": call_all,
}


# -- what they share --


async def _items(run: Run, kind: ListKind) -> list[JsonObject]:
    """A list as the server has it now; empty where it has none. Raises what prevented it."""
    found = await run.session.catalog.refresh(kind)
    if found.state == "failed":
        calls = [call for call in run.session.calls if call.method == f"{kind}/list"]
        if calls and isinstance(lost := calls[-1].outcome, Lost):
            raise lost.error
        raise PeerViolation(f"{kind}/list: {found.error}")
    return [item for item in found.items if isinstance(item, dict)]


async def _call(run: Run, tool: JsonObject) -> None:
    name = tool.get("name")
    if isinstance(name, str):
        await _called(run, name, stub(tool.get("inputSchema")))


async def _called(run: Run, name: str, arguments: Sendable) -> None:
    await _settled(run, await run.session.call_tool(name, arguments))


async def _settled(run: Run, call: Call) -> None:
    """Waits for the outcome and says it. An error of the server's is an answer like another."""
    match await run.outcome(call):
        case Success():
            run.out.note(f"{call.method}: answered")
        case Failure(code=code, message=message):
            run.out.note(f"{call.method}: {code} {message}")
        case Lost(error=error):
            raise error


def stub(schema: Json) -> JsonObject:
    """Arguments that fit a simple schema: a value for each property, its default, first choice,
    or something of its type."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return {}
    return {name: _stub_value(one) for name, one in properties.items()}


def _stub_value(schema: Json) -> Json:
    if not isinstance(schema, dict):
        return "text"
    for key in ("default", "const"):
        if key in schema:
            return schema[key]
    choices = schema.get("enum")
    if isinstance(choices, list) and choices:
        return choices[0]
    types: Mapping[Json, Json] = {
        "integer": 1,
        "number": 1,
        "boolean": True,
        "null": None,
        "array": [],
        "object": stub(schema),
    }
    kind = schema.get("type")
    return types.get(kind, "text") if isinstance(kind, str) else "text"
