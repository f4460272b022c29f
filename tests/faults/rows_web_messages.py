"""Rows 7, 8 and 11 to 16 on the web: messages that are wrong, in bodies and in streams."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from inspector.journal.entries import Flag, Kind
from inspector.protocol.messages import Malformed, decode
from inspector.session.pending import Lost, Success
from tests.faults.table import screen, wire
from tests.faults.web import Met, eras, looked, met
from tests.servers.rude_http import Exchange, Message
from tests.servers.rude_places import Act, Host, Raw, note, raw_of, result
from tests.session.scene import soon

LONG = 0.3
"""Seconds that a call waits which gets no answer."""
NOT_JSON = {"rpc/not-json", "http/multi-json"}
"""The rules of text that is none of JSON: in an event, and in a body."""
FLOOD = 10_000
"""Notifications; a million of them is measured apart (tests/test_flood.py)."""


def says(*make: Raw | Callable[[Message], Raw]) -> Act:
    """A tool that says these, made of the request."""

    async def act(host: Host, x: Exchange, m: Message) -> None:
        await host.say(x, *(each(m) if callable(each) else each for each in make))

    return act


def honest(m: Message) -> Message:
    """A right answer."""
    return result(m)


def as_text(m: Message) -> Message:
    """An id of another type."""
    return {**result(m), "id": str(m["id"])}


def with_bad_byte(m: Message) -> bytes:
    """An answer with a byte that no UTF-8 has."""
    return (
        b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"a\xffb"}]}}'
        % (m["id"])
    )


def deep(m: Message) -> bytes:
    """An answer of depth 1000."""
    return b'{"jsonrpc":"2.0","id":%d,"result":{"x":%s%s}}' % (m["id"], b"[" * 1000, b"]" * 1000)


def odd_json(m: Message) -> bytes:
    """JSON that parsers disagree about."""
    body = (
        b'{"content":[{"type":"text","text":"ok"}],"resultType":"complete","n":%s,"n":2,"m":1e400}'
    )
    return b'{"jsonrpc":"2.0","id":%d,"result":' % m["id"] + body % b"NaN" + b"}"


def flagged(here: Met, flag: Flag) -> bool:
    """Whether one frame has that flag."""
    return here.flags()[flag] == 1


async def _unanswered(here: Met, place: str) -> Lost:
    """The outcome of a call whose answer cannot be found: at once over HTTP, where the exchange has
    ended; over HTTP+SSE once its time is up."""
    outcome = await here.call(timeout=LONG if place == "E" else 30)
    assert isinstance(outcome, Lost)
    return outcome


@wire(7, "HE")
async def invalid_utf_8_is_kept_and_fails_its_call_alone(place: str, _: Path) -> None:
    for era in eras(place):
        async with met(place, says(with_bad_byte), era=era) as here:
            lost = await _unanswered(here, place)
            said = lost.error.message + lost.error.hint
            assert "UTF-8" in said or place == "E"
            here.kept()
            assert isinstance(decode(here.host.said[-1]), Malformed)
            assert here.rules() & NOT_JSON
            await here.good()


@wire(8, "HE")
async def an_answer_of_depth_1000_fails_its_call_with_the_reason(place: str, _: Path) -> None:
    for era in eras(place):
        async with met(place, says(deep), era=era) as here:
            lost = await _unanswered(here, place)
            assert "nested deeper than 512" in lost.error.message + lost.error.hint or place == "E"
            here.kept()
            await here.good()


@wire(11, "HE")
async def a_wrong_id_is_an_orphan(place: str, _: Path) -> None:
    for era in eras(place):
        async with met(place, says(lambda m: {**result(m), "id": 4711}), era=era) as here:
            lost = await _unanswered(here, place)
            assert "4711" in lost.error.message + lost.error.hint
            here.kept()
            assert here.flags()[Flag.ORPHAN] == 1
            assert "rpc/response-unknown-id" in here.rules()
            await here.good()


@wire(12, "HE")
async def of_two_answers_the_first_counts(place: str, _: Path) -> None:
    for era in eras(place):
        async with met(place, says(honest, lambda m: result(m, "again")), era=era) as here:
            outcome = await here.call()
            assert isinstance(outcome, Success)
            assert b"again" not in outcome.raw
            await soon(here.bench.changes.until(partial(flagged, here, Flag.DUPLICATE)))
            here.kept()
            await here.good()


@wire(13, "HE")
async def an_id_of_another_type_is_none(place: str, _: Path) -> None:
    for era in eras(place):
        async with met(place, says(as_text), era=era) as here:
            lost = await _unanswered(here, place)
            assert "a string is not a number" in lost.error.message + lost.error.hint
            assert "rpc/id-type-mismatch" in here.rules()
            here.kept()
            await here.good()


def batch(m: Message) -> bytes:
    """The answer and a notification, in a batch."""
    return b"[" + b",".join(map(raw_of, (note("in it"), result(m)))) + b"]"


@wire(14, "HE")
async def an_answer_to_nothing_and_a_batch_are_kept(place: str, _: Path) -> None:
    for era in eras(place):
        nobody: Raw = b'{"jsonrpc":"2.0","id":null,"result":{}}'
        async with met(place, says(nobody, batch), era=era) as here:
            assert isinstance(await here.call(), Success)
            here.kept()
            assert here.kinds()[Kind.BATCH] == here.kinds()[Kind.MALFORMED] == 1
            assert {"rpc/response-unknown-id", "rpc/batch"} <= here.rules()
            await here.good()


@wire(15, "HE")
async def json_that_parsers_disagree_about_is_kept_to_the_letter(place: str, _: Path) -> None:
    for era in eras(place):
        async with met(place, says(odd_json), era=era) as here:
            await here.call(timeout=LONG if place == "E" else 30)
            here.kept()
            raw = next(body for body in here.bodies() if b"NaN" in body)
            assert b'"n":NaN,"n":2,"m":1e400' in raw
            assert here.rules() & NOT_JSON
            await here.good()


@wire(15, "HE")
async def numbers_and_keys_that_parsers_disagree_about_are_shown_as_sent(
    place: str, _: Path
) -> None:
    odd = b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"resultType":"complete",'
    odd += b'"n":1,"n":2,"m":1e400}}'
    for era in eras(place):
        async with met(place, says(lambda m: odd % m["id"]), era=era) as here:
            outcome = await here.call()
            assert isinstance(outcome, Success)
            assert b'"n":1,"n":2,"m":1e400' in outcome.raw
            here.kept()
            assert {"rpc/duplicate-names", "rpc/number-range"} <= here.rules()
            await here.good()


@wire(16, "HE")
async def a_flood_of_notifications_arrives_whole(place: str, _: Path) -> None:
    for era in eras(place)[-1:]:

        async def flood(host: Host, x: Exchange, m: Message) -> None:
            block = b"data: " + raw_of(note()) + b"\n\n"
            to = await host.stream(x)
            for _ in range(FLOOD // 1000):
                await to.write(block * 1000)
            await to.write(b"data: " + raw_of(result(m)) + b"\n\n")

        async with met(place, flood, era=era) as here:
            assert isinstance(await here.call(), Success)
            assert here.bodies().count(raw_of(note())) == FLOOD
            await here.good()


@screen(7, "H")
async def the_screen_names_the_bad_byte(place: str, _: Path) -> None:
    async with looked(place, says(with_bad_byte)) as here:
        await here.press_call()
        await here.shows("no answer", "UTF-8")
        await here.traffic_shows("malformed")
