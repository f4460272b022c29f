"""Input requests: what a result, or a task, wants of a person before it can go on.

Reads them, turns them into asks, and waits until all are answered; where the user steps, asks once
more before the answers go out. The shape is the same in an `input_required` result (2026-07-28
basic/patterns/mrtr) and in a task of the extension; how the answers are sent is left to whoever
asks here, and how an ask is answered to the inbox.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from inspector.errors import PeerViolation, RequestCancelled
from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import Json, JsonObject, RawJson, Sendable, encode_json
from inspector.session.asks import AskKind
from inspector.session.declared import Unasked, ask_kind
from inspector.session.inbox import OPEN_LIMIT, Cause, Inbox, Said
from inspector.session.pending import Call
from inspector.session.state import SessionState

GIVEN_UP: Final = "the call was given up"


@dataclass(frozen=True, slots=True)
class InputRequest:
    """One thing that is asked for."""

    kind: AskKind
    method: str
    params: JsonObject


def read_requests(requests: Json, whose: str, state: SessionState) -> dict[str, InputRequest]:
    """The input requests by key. Raises PeerViolation for what cannot be asked."""
    if not isinstance(requests, dict):
        raise PeerViolation(f"the inputRequests of {whose} are no object")
    if len(requests) > OPEN_LIMIT:
        raise PeerViolation(
            f"{whose} asks {len(requests):,} things at once",
            hint=f"no more than {OPEN_LIMIT} are put to a person",
        )
    wanted: dict[str, InputRequest] = {}
    for key, request in requests.items():
        name = request.get("method") if isinstance(request, dict) else None
        params = request.get("params", {}) if isinstance(request, dict) else None
        if not isinstance(name, str) or not isinstance(params, dict):
            raise PeerViolation(f"the input request {key!r} of {whose} is no request")
        kind = ask_kind(name, params, state.client_capabilities, state.revision)
        if isinstance(kind, Unasked):
            raise PeerViolation(
                f"the server may not ask {name} (input request {key!r} of {whose}): {kind.why}"
            )
        wanted[key] = InputRequest(kind, name, params)
    return wanted


async def answered(
    inbox: Inbox,
    call: Call,
    wanted: Mapping[str, InputRequest],
    entry: int,
    *,
    round: int = 0,
) -> dict[str, Sendable]:
    """What was answered, by key. Raises RequestCancelled where somebody said no: then there is
    nothing to send (basic/patterns/mrtr). Cancelled, it takes its asks back. `round` counts how
    often the call was asked back."""
    loop = asyncio.get_running_loop()
    said: dict[str, asyncio.Future[Said]] = {}
    asks: list[int] = []
    cause = Cause((call,), "result")
    why = "it is wanted no more: the call goes on without an answer"
    try:
        for key, one in wanted.items():
            said[key] = answer = loop.create_future()
            ask = inbox.take(
                one.kind,
                one.method,
                one.params,
                None,
                entry,
                cause,
                key=key,
                round=round,
                answer=answer,
            )
            asks.append(ask.number)
        waiting = set(said.values())
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if no := next((one.result() for one in done if one.result().result is None), None):
                why = GIVEN_UP
                raise RequestCancelled(
                    f"{call.method} was not gone on with: {no.why}",
                    hint="without an answer to what it asked, the server is not asked again",
                )
        return {key: RawJson(answer.result().result or b"null") for key, answer in said.items()}
    finally:
        for number in asks:
            inbox.drop(number, GIVEN_UP if call.done else why)


async def stepped(
    inbox: Inbox,
    call: Call,
    method: str,
    params: Mapping[str, Sendable],
    entry: int,
    *,
    round: int = 0,
) -> Sendable:
    """The parameters of the next request that is made for `call`, a `method`: `params`, or what a
    person made of them where the policy is to ask. Raises RequestCancelled where it is not to go
    out."""
    if inbox.policies["round"].mode in ("answer", "accept-defaults"):
        return params
    text = encode_json(params)
    loop = asyncio.get_running_loop()
    said: asyncio.Future[Said] = loop.create_future()
    ask = inbox.take(
        "round",
        method,
        _read(text),
        None,
        entry,
        Cause((call,), "result"),
        round=round,
        raw=text,
        answer=said,
    )
    try:
        answer = await said
    finally:
        inbox.drop(ask.number, GIVEN_UP)
    if answer.result is None:
        raise RequestCancelled(
            f"{call.method} was not gone on with: {answer.why}",
            hint=f"{method} with the answers was not sent",
        )
    return RawJson(answer.result)


def _read(text: bytes) -> JsonObject:
    """Parameters to look at; what goes out is their text."""
    try:
        value = parse_json(text)
    except NotJsonError:
        return {}
    return value if isinstance(value, dict) else {}
