"""What the headless commands do once a session is open: info, list, call, read, prompt, request.

Each returns an exit code. With `--json` a result leaves as the server sent it, token for token;
otherwise `inspector.cli.human` draws it.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final

from inspector.cli import checking, human, human_info, output
from inspector.cli.arguments import ToolArguments
from inspector.cli.running import Run, Work
from inspector.errors import InspectorError, PeerViolation, UsageError
from inspector.protocol.messages import Json, RawJson, Sendable, encode_json, raw_members
from inspector.protocol.versions import Era
from inspector.session.catalog import METHOD_OF, CatalogList, ListKind
from inspector.session.marks import marks_rule
from inspector.session.modern import META_SERVER
from inspector.session.pending import Call, Failure, Lost, Success

if TYPE_CHECKING:
    from inspector.cli.output import Part

KINDS: Final[Mapping[str, tuple[ListKind, ...]]] = {
    "tools": ("tools",),
    "resources": ("resources",),
    "templates": ("resourceTemplates",),
    "prompts": ("prompts",),
    "all": ("tools", "resources", "resourceTemplates", "prompts"),
}
"""The words of `list`, and the lists they mean."""


async def info(run: Run) -> int:
    """What was negotiated, who the server is, what both sides can do."""
    state = run.session.state
    if not run.out.as_json:
        run.out.result(*human_info.info(state))
        return output.DONE
    members = raw_members(state.initialize_raw)
    if run.session.era is Era.MODERN:  # 2026-07-28 server/discover says these elsewhere
        meta = raw_members(members.get("_meta", b""))
        members["protocolVersion"] = encode_json(state.revision_text)
        if META_SERVER in meta:
            members["serverInfo"] = meta[META_SERVER]
    facts: dict[str, Sendable] = {
        "protocolVersion": _verbatim(members, "protocolVersion"),
        "transport": run.session.transport.kind,
        "serverInfo": _verbatim(members, "serverInfo"),
        "capabilities": _verbatim(members, "capabilities"),
        "clientCapabilities": state.client_capabilities,
        "instructions": _verbatim(members, "instructions"),
    }
    if "supportedVersions" in members:
        facts["supportedVersions"] = _verbatim(members, "supportedVersions")
    run.out.result_json(encode_json(facts))
    return output.DONE


def _verbatim(members: Mapping[str, bytes], key: str) -> Sendable:
    """A member exactly as the server sent it; null where it did not."""
    return RawJson(members[key]) if key in members else None


def list_items(word: str) -> Work:
    """All items of one list, or of all four, from all pages.

    One list that cannot be read hides no other: what was read is printed, and the error told then.
    """

    async def work(run: Run) -> int:
        code = output.DONE
        lost: InspectorError | None = None
        lists: list[CatalogList] = []
        for kind in KINDS[word]:
            found = run.session.catalog[kind]
            if not run.session.state.over:
                found = await run.session.catalog.refresh(kind)
            lists.append(found)
            try:
                code = max(code, _remarks(run, found, alone=word != "all"))
            except InspectorError as error:
                lost = lost or error
        if lost is not None and not any(one.pages for one in lists):
            raise lost
        if word != "all" and code == output.SERVER_ERROR and not lists[0].pages:
            return code
        if run.out.as_json:
            parts = [b'"%s":[%s]' % (one.kind.encode(), b",".join(_texts(one))) for one in lists]
            run.out.result_json(b"{%s}" % b",".join(parts))
        else:
            rule = marks_rule(run.session.era, run.session.transport.kind)
            run.out.result(*human.lists(lists, rule))
        if lost is not None:
            raise lost
        return code

    return work


def _texts(found: CatalogList) -> list[bytes]:
    """The items as the server sent them; of one that cannot be read, what is left of it."""
    return [
        encode_json(item) if position in found.broken else raw
        for position, (item, raw) in enumerate(zip(found.items, found.raw, strict=True))
    ]


def _remarks(run: Run, found: CatalogList, *, alone: bool) -> int:
    """Says why a list is not whole. Alone, a refusal is the answer; among others it is a note.

    Raises what left the list without an answer.
    """
    if found.state == "unsupported":
        run.out.note(f"the server does not offer {_spoken(found.kind)}")
    if not found.error:
        return output.DONE
    calls = [call for call in run.session.calls if call.method == METHOD_OF[found.kind]]
    outcome = calls[-1].outcome if calls else None
    if found.state == "failed":
        if isinstance(outcome, Lost):
            if not alone or found.pages:
                run.out.note(f"{_spoken(found.kind)}: {found.error}")
            raise outcome.error
        if isinstance(outcome, Failure):
            if alone and not found.pages:
                return _refused(run, outcome)
            said = f"the server answered {outcome.code} {outcome.message}"
            run.out.note(f"{_spoken(found.kind)}: {said}")
            return output.SERVER_ERROR
        if alone and not found.pages:
            raise PeerViolation(f"{METHOD_OF[found.kind]}: {found.error}")
    run.out.note(f"{_spoken(found.kind)}: {found.error}")
    return output.PROTOCOL_BROKEN


def _spoken(kind: ListKind) -> str:
    return "resource templates" if kind == "resourceTemplates" else kind


def call_tool(name: str, arguments: ToolArguments) -> Work:
    """Calls a tool; `isError` is an answer, with exit code 1.

    The tool list is asked for only where the meaning of an argument depends on the schema, and
    where the server runs tools as tasks: a tool may insist on that.
    """

    async def work(run: Run) -> int:
        schema: Json = True
        session = run.session
        if arguments.needs_schema or session.runs_tasks:
            tool = (await session.catalog.refresh("tools")).find("name", name)
            if isinstance(tool, dict):
                schema = tool.get("inputSchema", True)
        sending = arguments.with_schema(schema)
        call = await _sent("tools/call", session.call_tool(name, sending))
        outcome = await run.outcome(call)
        code = _answer(run, outcome, human.tool_result)
        await checking.remark_on_call(run, name, sending, outcome)
        return code

    return work


def read(uri: str) -> Work:
    """Reads a resource."""

    async def work(run: Run) -> int:
        call = await _sent("resources/read", run.session.request("resources/read", {"uri": uri}))
        outcome = await run.outcome(call)
        if "{" in uri and not isinstance(outcome, Success):
            run.out.note("the URI looks like a template: its {parts} are for you to fill in")
        return _answer(run, outcome, human.contents)

    return work


def prompt(name: str, arguments: Mapping[str, str]) -> Work:
    """Gets a prompt."""

    async def work(run: Run) -> int:
        params: dict[str, Sendable] = {"name": name}
        if arguments:
            params["arguments"] = dict(arguments)
        call = await _sent("prompts/get", run.session.request("prompts/get", params))
        outcome = await run.outcome(call)
        code = _answer(run, outcome, human.messages)
        await checking.remark_on_prompt(run, name, arguments)
        return code

    return work


def request(method: str, params: Sendable) -> Work:
    """Any request, sent as it stands, whatever was negotiated."""

    async def work(run: Run) -> int:
        call = await run.session.request(method, params, force=True, progress=False)
        outcome = await run.outcome(call)
        return _answer(run, outcome, human.json_text)

    return work


async def _sent(method: str, sending: Awaitable[Call]) -> Call:
    try:
        return await sending
    except UsageError as error:
        raise _sent_by_request(error, method) from None


def _sent_by_request(error: UsageError, method: str) -> UsageError:
    """The error with the command that sends what was not negotiated."""
    if error.kind == "capability":
        error.hint = f"`mcp-inspect request {method} PARAMS` sends it anyway"
    return error


Show = Callable[[Json, bytes], "list[Part]"]


def _answer(run: Run, outcome: Success | Failure | Lost, show: Show) -> int:
    """Prints an outcome; the exit code."""
    match outcome:
        case Lost():
            raise outcome.error
        case Failure():
            return _refused(run, outcome)
        case Success():
            if run.out.as_json:
                run.out.result_json(outcome.raw)
            else:
                run.out.result(*show(outcome.result, outcome.raw))
            result = outcome.result
            if not isinstance(result, dict):
                run.out.note("the server's result is not an object, so it is no result")
                return output.PROTOCOL_BROKEN
            is_error = result.get("isError") is True
            return output.SERVER_ERROR if is_error else output.DONE


def _refused(run: Run, failure: Failure) -> int:
    """A JSON-RPC error: exactly the members that the server sent."""
    if run.out.as_json:
        run.out.result_json(b'{"error":%s}' % failure.raw)
    else:
        run.out.complaint(*human.error(failure))
    return output.SERVER_ERROR
