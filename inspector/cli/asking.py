"""Questions of the server put to the person at a terminal, for headless commands told to `ask`.

Plain lines on stderr, answers from the keyboard; what is asked passes `render.safe`. Which
questions come here at all was decided by the session's policies.
"""

import asyncio
import json
import os
import sys
from collections.abc import Iterator

from inspector.cli.output import Output, Paragraph
from inspector.cli.policies import sampling_result
from inspector.errors import InspectorError, UsageError
from inspector.protocol.messages import Json, JsonObject
from inspector.render.safe import safe_text, visible
from inspector.session.asks import Ask
from inspector.session.sampling import conversation_problems
from inspector.session.session import Session
from inspector.transport.browser import check_page


async def answer_asks(session: Session) -> None:
    """Puts each open question to the user, one after the other, until cancelled."""
    keyboard = Keyboard()
    while True:
        ask = await session.inbox.wait_open()
        try:
            await _answer(session, ask, keyboard)
        except EOFError:
            await session.inbox.decline(ask.number)
        except InspectorError as error:
            _say(error.message)  # withdrawn or answered meanwhile


class Keyboard:
    """Lines from the terminal without a thread, so that waiting for one can be cancelled."""

    def __init__(self) -> None:
        self._rest = b""

    async def line(self, prompt: str) -> str:
        """The next line, without its end. Raises EOFError where there is none any more."""
        sys.stderr.write(prompt)
        sys.stderr.flush()
        while b"\n" not in self._rest:
            chunk = await self._chunk()
            if not chunk and not self._rest:
                raise EOFError
            self._rest += chunk or b"\n"
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace").strip()

    async def _chunk(self) -> bytes:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        descriptor = sys.stdin.fileno()
        try:
            loop.add_reader(descriptor, lambda: None if ready.done() else ready.set_result(None))
        except PermissionError:  # a file or /dev/null: there is nothing to wait for
            return os.read(descriptor, 65536)
        try:
            await ready
        finally:
            loop.remove_reader(descriptor)
        return os.read(descriptor, 65536)


async def _answer(session: Session, ask: Ask, keyboard: Keyboard) -> None:
    inbox, params = session.inbox, ask.params
    _say("")
    match ask.kind:
        case "sampling":
            _say("The server asks a model (sampling):")
            for problem in conversation_problems(params):
                _quote(f"! {problem}", 2)
            for said in _conversation(params):
                _quote(said, 2)
            owed = ask.request_id is not None
            means = "declines" if owed else "declines, which ends the call"
            text = await keyboard.line(f"Answer (empty {means}): ")
            if text:
                await inbox.accept(ask.number, sampling_result(text))
            else:
                await inbox.decline(ask.number)
        case "elicitation-url":
            _say("The server asks you to visit a page:")
            _quote(_text(params.get("message")))
            for line in _page(_text(params.get("url"))):
                _quote(line, 2)
            await _decide(session, ask, await keyboard.line("Agree? [y]es [n]o [c]ancel: "))
        case "elicitation":
            _say("The server asks:")
            _quote(_text(params.get("message")))
            content: JsonObject
            while True:
                choice = await keyboard.line("Answer? [y]es [n]o [c]ancel: ")
                content = await _form(params, keyboard) if _yes(choice) else {}
                if not _yes(choice) or await _meant(params, content, keyboard):
                    break
            await _decide(session, ask, choice, content)
        case "roots" | "round":
            await inbox.accept(ask.number)


async def _decide(
    session: Session, ask: Ask, choice: str, content: JsonObject | None = None
) -> None:
    if _yes(choice):
        await session.inbox.accept(ask.number, content)
    elif choice[:1].lower() == "c":
        await session.inbox.cancel(ask.number)
    else:
        await session.inbox.decline(ask.number)


async def _form(params: JsonObject, keyboard: Keyboard) -> JsonObject:
    """The fields of an elicitation one by one; an empty line takes the default or leaves out."""
    schema = params.get("requestedSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    content: JsonObject = {}
    for name, field in properties.items() if isinstance(properties, dict) else ():
        facts = field if isinstance(field, dict) else {}
        must = isinstance(required, list) and name in required
        text = await keyboard.line(_prompt(name, facts, must))
        if text:
            content[name] = read_value(text, facts)
        elif "default" in facts:
            content[name] = facts["default"]
    return content


async def _meant(params: JsonObject, content: JsonObject, keyboard: Keyboard) -> bool:
    """Whether to send `content`: what the form's schema has against it is told first. Wrong
    answers may be sent; that is what an inspector is for."""
    from inspector.forms.problems import NotValidated
    from inspector.forms.validate import validate

    verdict = await validate(params.get("requestedSchema", {}), content)
    if isinstance(verdict, NotValidated):
        _say(f"  ! not checked against the schema: {verdict.reason}")
        return True
    for problem in verdict:
        _quote(f"! {problem.pointer or 'the answer'}: {problem.message}", 2)
    return not verdict or _yes(await keyboard.line("Send it all the same? [y]es, else again: "))


def read_value(text: str, field: JsonObject) -> Json:
    """What a person means by `text` in a field; text that does not fit its type is sent as it is,
    because an inspector may send what is wrong."""
    kind = field.get("type")
    if kind == "array":
        return [part.strip() for part in text.split(",") if part.strip()]
    if kind == "boolean" and text.lower() in ("y", "yes", "n", "no"):
        return text.lower().startswith("y")
    if kind in ("integer", "number", "boolean"):
        try:
            value: Json = json.loads(text)
        except ValueError:
            return text
        return value
    return text


def _prompt(name: str, field: JsonObject, required: bool) -> str:
    kind = field.get("type")
    about = str(kind) if isinstance(kind, str) else "value"
    if choices := _choices(field):
        about = " | ".join(choices) + (", several with commas" if kind == "array" else "")
    default = f", default {json.dumps(field['default'])}" if "default" in field else ""
    mark = "*" if required else ""
    return f"  {visible(f'{name}{mark} ({about}{default})')}: "


def _choices(field: JsonObject) -> list[str]:
    items = field.get("items")
    source = items if isinstance(items, dict) else field
    for key in ("enum", "oneOf", "anyOf"):
        options = source.get(key)
        if isinstance(options, list):
            values = [
                option.get("const") if isinstance(option, dict) else option for option in options
            ]
            return [str(value) for value in values]
    return []


def _conversation(params: JsonObject) -> Iterator[str]:
    if isinstance(system := params.get("systemPrompt"), str):
        yield f"system: {system}"
    messages = params.get("messages")
    for message in messages if isinstance(messages, list) else []:
        if not isinstance(message, dict):
            continue
        content = message.get("content")
        for block in content if isinstance(content, list) else [content]:
            text = block.get("text") if isinstance(block, dict) else None
            said = text if isinstance(text, str) else json.dumps(block)[:2000]
            yield f"{message.get('role')}: {said}"


def _page(url: str) -> list[str]:
    """The whole URL, its host, and what speaks against it (2025-11-25 client/elicitation)."""
    try:
        address = check_page(url)
    except UsageError as error:
        return [url, f"! {error.message}"]
    return [url, f"host: {address.host}", *map("! {}".format, address.warnings)]


def _yes(choice: str) -> bool:
    return choice[:1].lower() == "y"


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _quote(text: str, indent: int = 4) -> None:
    """Words of the server, of as many lines as they have: none begins where ours do, so that none
    can pass for one of ours."""
    Output().complaint(Paragraph(safe_text(text), indent))


def _say(text: str) -> None:
    sys.stderr.write(visible(text, keep_newlines=True) + "\n")
    sys.stderr.flush()
