"""Remarks beside an answer: what the server's own lists and schemas say of it.

Nothing here changes what is sent, what is printed or the exit code. The lists are asked for after
the answer is out, and only where they can explain something; a server that is slow or odd about
them costs a few seconds at most.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import Final

from inspector.cli.running import Run
from inspector.errors import InspectorError
from inspector.protocol.messages import Json, JsonObject, Sendable
from inspector.session.catalog import CatalogList, ListKind
from inspector.session.pending import Failure, Outcome, Success

LIST_SECONDS: Final = 5.0
"""How long a list may take that is read for a remark only."""
SHOWN: Final = 5
"""Problems of one value that are told."""


async def remark_on_call(run: Run, name: str, arguments: Sendable, outcome: Outcome) -> None:
    """Says what may be wrong with the tool's name, its arguments and its structured content."""
    result = outcome.result if isinstance(outcome, Success) else None
    structured = isinstance(result, dict) and "structuredContent" in result
    refused = isinstance(outcome, Failure) or (
        isinstance(result, dict) and result.get("isError") is True
    )
    known = run.session.catalog["tools"].state == "ready"
    if not (structured or refused or known):
        return
    found = await _list(run, "tools")
    tool = found.find("name", name) if found is not None else None
    if found is not None and tool is None:
        _unlisted(run, "tool", name, _names(found))
    if not isinstance(tool, dict):
        return
    if isinstance(tool.get("inputSchema"), dict):
        given: Sendable = {} if arguments is None else arguments
        await _judge(run, "the arguments do not fit inputSchema", tool["inputSchema"], given)
    if isinstance(result, dict) and not refused and "outputSchema" in tool:
        if structured:
            content = result["structuredContent"]
            text = "the server's structuredContent does not fit its outputSchema"
            await _judge(run, text, tool["outputSchema"], content)
        else:
            run.out.note("the tool has an outputSchema, but the result no structuredContent")


async def remark_on_prompt(run: Run, name: str, arguments: Mapping[str, str]) -> None:
    """Says which required arguments were not given, and which are unknown."""
    found = await _list(run, "prompts")
    if found is None:
        return
    prompt = found.find("name", name)
    if not isinstance(prompt, dict):
        _unlisted(run, "prompt", name, _names(found))
        return
    listed = prompt.get("arguments")
    declared = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    for one in declared:
        if one.get("required") is True and one.get("name") not in arguments:
            run.out.note(f"the prompt requires the argument {one.get('name')!r}; sent without it")
    names = [str(one.get("name")) for one in declared]
    for given in arguments:
        if given not in names:
            run.out.note(f"the prompt declares no argument {given!r}{_close(given, names)}")


async def _list(run: Run, kind: ListKind) -> CatalogList | None:
    """The whole list, None where it cannot be had in time."""
    if run.session.catalog[kind].state == "ready":
        return run.session.catalog[kind]
    with suppress(TimeoutError, InspectorError):
        async with asyncio.timeout(LIST_SECONDS):
            found = await run.session.catalog.refresh(kind)
            return found if found.state == "ready" else None
    return None


async def _judge(run: Run, what: str, schema: Json, value: Sendable) -> None:
    from inspector.forms.problems import NotValidated
    from inspector.forms.validate import validate

    verdict = await validate(schema, value)
    if isinstance(verdict, NotValidated):
        return
    for problem in verdict[:SHOWN]:
        run.out.note(f"{what}: {problem.pointer or 'the whole'}: {problem.message}")
    if len(verdict) > SHOWN:
        run.out.note(f"{what}: and {len(verdict) - SHOWN} problems more")


def _unlisted(run: Run, what: str, name: str, names: Sequence[str]) -> None:
    run.out.note(f"the server lists no {what} {name!r}{_close(name, names)}; asked all the same")


def _close(name: str, names: Sequence[str]) -> str:
    close = get_close_matches(name, names, 1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _names(found: CatalogList) -> list[str]:
    items: list[JsonObject] = [item for item in found.items if isinstance(item, dict)]
    return [name for item in items if isinstance(name := item.get("name"), str)]
