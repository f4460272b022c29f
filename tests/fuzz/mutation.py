"""Real JSON and real recordings, changed on purpose: hostile values, odd members, wrong order.

Everything is drawn from a `random.Random`, so that a seed names an example.
"""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final
from zlib import crc32

HUGE: Final = "9" * 5_001
"""More digits than `int` takes in Python."""
DEEP: Final = "[" * 10_000 + "]" * 10_000
DEEP_OBJECT: Final = '{"a":' * 10_000 + "1" + "}" * 10_000

TOKENS: Final = (
    "null", "true", "false", "0", "-0", "-1", "1.0", "1e400", "-1e400", "1e-400", "1.5", "NaN",
    "Infinity", "-Infinity", "2147483648", "9007199254740993", "18446744073709551616",
    "-9223372036854775809", HUGE, "-" + HUGE, "1" + "0" * 400, "0." + "1" * 5_000, "1e" + HUGE,
    DEEP, DEEP_OBJECT, "[]", "{}", "[[]]", "[null]", '[""]', "[0]", '[{}]', '{"":""}', '{"a":{}}',
    '""', '" "', '"\\u0000"', '"\\ud800"', '"\\udfff\\ud800"', '"\ufeff"', '"\u202e"', '"\u2028"',
    '"\\u001b]52;c;aGk=\\u0007"', '"[/nope]"', '"%s%n{0}"', '"../../../etc/passwd"', '"\\"\\\\"',
    '"-1"', '"NaN"', '"true"', '"null"', '"__proto__"', '"\U0001f600"', '"x"',
    '"' + "x" * 5_000 + '"',
    '{"a":1,"a":2}', '{"$ref":"#"}', '{"$ref":"#/a/b~2/%"}', '{"type":["null",{}]}',
    '{"__proto__":{}}',
    '"file:///etc/passwd"', '"http://[::1"', '"http://a:99999999/"', '"javascript:alert(1)"',
    '"{+x*}{"', '"9999-12-31T23:59:59Z"', '"data:image/png;base64,AAAA"', '"2025-06-18"',
    '"2026-07-28"', '"2024-11-05"', '"1.0"', '"string"', '"object"', '"text"', '"tools/list"',
    '"\\u00e9\\u0301"', "1" * 20, "-", "[1,]", "'x'", "", "undefined", "0x10", "01", "\x00",
)  # fmt: skip
"""JSON values that readers stumble over; some of the last are no JSON at all."""

_PLACE: Final = "\ue000PLACE\ue000"


def nodes(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where every value in `value` stands."""
    found = [path]
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, inner in items:
        found += nodes(inner, (*path, key))
    return found


def changed(value: Any, random: Random, words: Sequence[str] = ()) -> str:
    """The text of `value` after one change: another token at a place, a member gone, renamed,
    doubled or moved. `words` are names that mean something to the reader."""
    value = json.loads(json.dumps(value))
    path = random.choice(nodes(value))
    if not path:
        return (
            random.choice(TOKENS) if random.random() < 0.3 else _with_member(value, random, words)
        )
    holder = value
    for key in path[:-1]:
        holder = holder[key]
    last, how, token = path[-1], random.random(), random.choice(TOKENS)
    if how < 0.6:
        holder[last] = _PLACE
    elif how < 0.7:
        del holder[last]
    elif how < 0.8 and isinstance(holder, dict):
        holder[random.choice([*words, "", "\x00", "x" * 300, "$ref", "_meta"])] = holder.pop(last)
    elif how < 0.9:
        holder[last] = _elsewhere(value, random)
    else:
        inner = holder[last]
        return (
            json.dumps(value)
            if not isinstance(inner, dict)
            else _inside(value, inner, random, words)
        )
    return (
        json.dumps(value, ensure_ascii=random.random() < 0.5)
        .replace(json.dumps(_PLACE), token)
        .replace(f'"{_PLACE}"', token)
    )


def _elsewhere(value: Any, random: Random) -> Any:
    """A copy of another part of the same value."""
    for key in random.choice(nodes(value)):
        value = value[key]
    return json.loads(json.dumps(value))


def _inside(value: Any, inner: dict[str, Any], random: Random, words: Sequence[str]) -> str:
    inner[random.choice([*words, "x"])] = _PLACE
    return json.dumps(value).replace(json.dumps(_PLACE), random.choice(TOKENS))


def _with_member(value: Any, random: Random, words: Sequence[str]) -> str:
    if not isinstance(value, dict):
        return random.choice(TOKENS)
    text = json.dumps(value)
    key = json.dumps(random.choice([*words, *value, "x"]))
    member = f"{key}:{random.choice(TOKENS)}"
    return (
        "{" + member + ("," if value else "") + text[1:]
        if random.random() < 0.5
        else (text[:-1] + ("," if value else "") + member + "}")
    )


def torn(text: bytes, random: Random) -> bytes:
    """Bytes after a few changes that know nothing of what they mean."""
    changed_bytes = bytearray(text)
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(changed_bytes) + 1)
        match random.randrange(5):
            case 0:
                del changed_bytes[at : at + random.choice((1, 4, 50))]
            case 1:
                changed_bytes[at:at] = random.randbytes(random.choice((1, 4)))
            case 2:
                changed_bytes[at:at] = random.choice(TOKENS).encode()
            case 3:
                if at < len(changed_bytes):
                    changed_bytes[at] ^= 1 << random.randrange(8)
            case _:
                part = changed_bytes[at : at + random.choice((4, 60))]
                where = random.randrange(len(changed_bytes) + 1)
                changed_bytes[where:where] = part
    return bytes(changed_bytes)


# -- recordings --

_LINE: Final = re.compile(
    rb'(\{"n":\d+,.*?"len":)(\d+)(,"raw":)(.*),"crc":"[0-9a-f]{8}"\}\n', re.DOTALL
)
METHODS: Final = (
    "initialize", "tools/call", "tools/list", "resources/read", "resources/list", "prompts/get",
    "notifications/progress", "notifications/cancelled", "notifications/message", "tasks/get",
    "sampling/createMessage", "elicitation/create", "roots/list", "server/discover",
    "completion/complete", "logging/setLevel", "subscriptions/listen", "notifications/initialized",
    "notifications/tools/list_changed", "notifications/tasks/status", "ping", "x", "",
)  # fmt: skip
WORDS: Final = (
    "id", "method", "params", "result", "error", "code", "message", "name", "arguments", "content",
    "tools", "type", "text", "data", "mimeType", "inputSchema", "outputSchema", "uri", "_meta",
    "progressToken", "progress", "total", "requestId", "task", "taskId", "status", "ttl", "cursor",
    "nextCursor", "resultType", "inputRequests", "protocolVersion", "capabilities", "serverInfo",
    "annotations", "isError", "structuredContent", "event", "url", "requestHeaders", "headers",
    "http", "about", "reason", "command", "code", "signal", "enum", "properties", "required",
    "$ref", "anyOf", "format", "default", "pattern", "icons", "src", "sizes", "title",
)  # fmt: skip


def sealed(line: bytes) -> bytes:
    """A line with length and checksum made right, whatever else it says."""
    found = _LINE.fullmatch(line)
    if found is None:
        return line
    raw = found[4]
    text = found[1] + b"%d" % len(raw) + found[3] + raw
    return text + b',"crc":"%08x"}\n' % crc32(text)


def numbered(lines: list[bytes]) -> list[bytes]:
    """Lines in order: whatever was moved, taken away or doubled gets the number of its place."""
    count, found = 0, []
    for line in lines:
        if b'"kind":"flag"' in line or b'"kind":"unflag"' in line:
            found.append(line)
            continue
        count += 1
        found.append(sealed(re.sub(rb'^\{"n":\d+', b'{"n":%d' % count, line)))
    return found


def recording(path: Path, random: Random) -> bytes:
    """A real recording after some changes, each line of it a good one."""
    head, *lines = path.read_bytes().splitlines(keepends=True)
    if random.random() < 0.5:  # a part of it, for there is more to be tried in the same time
        start = random.randrange(len(lines))
        lines = lines[:6] + lines[start : start + random.randrange(60)]
    for _ in range(random.choice((1, 3, 10, 40))):
        if not lines:
            break
        at = random.randrange(len(lines))
        how: Callable[[list[bytes], int, Random], None] = random.choice(
            (
                _other_body,
                _other_body,
                _other_body,
                _other_head,
                _moved,
                _gone,
                _doubled,
                _other_way,
            )
        )
        how(lines, at, random)
    return head + b"".join(numbered(lines))


def _other_body(lines: list[bytes], at: int, random: Random) -> None:
    found = _LINE.fullmatch(lines[at])
    if found is None:
        return
    raw: bytes = found[4]
    head = found[1] + found[2] + found[3]
    if b'"form":' in head:
        return
    try:
        text = changed(json.loads(raw), random, WORDS)
        if random.random() < 0.3:
            text = changed(json.loads(text), random, WORDS)
    except (ValueError, RecursionError):
        text = random.choice(TOKENS)
    if random.random() < 0.15:
        text = re.sub(r'"method": ?"[^"]*"', f'"method":"{random.choice(METHODS)}"', text)
    body = text.encode("utf-8", "surrogatepass")
    if random.random() < 0.1:
        body = torn(body, random)
    try:
        body.decode()
        json.loads(body)
        plain = b"\n" not in body
    except (ValueError, RecursionError):
        plain = body in (DEEP.encode(), DEEP_OBJECT.encode()) or HUGE.encode() in body
    if not plain:
        try:
            body = json.dumps(body.decode()).encode()
            head = head.replace(b',"len":', b',"form":"text","len":')
        except UnicodeDecodeError:
            import base64

            body = b'"' + base64.b64encode(body) + b'"'
            head = head.replace(b',"len":', b',"form":"base64","len":')
    lines[at] = sealed(head + body + b',"crc":"00000000"}\n')


_HEADS: Final = (
    (rb'"us":-?\d+', (b'"us":0', b'"us":-99999999999999999', b'"us":99999999999999999', b'"us":1')),
    (rb'"at":"[^"]*"', (b'"at":"9999-12-31T23:59:60.999Z"', b'"at":"0001-01-01T00:00:00.000Z"',
                        b'"at":"1969-02-31T00:00:00.000Z"', b'"at":"0000-00-00T00:00:00.000Z"')),
    (rb'"conn":\d+', (b'"conn":0', b'"conn":2', b'"conn":65535', b'"conn":99999')),
    (rb'"kind":"[a-z]*"', tuple(b'"kind":"%s"' % kind for kind in (
        b"request", b"notification", b"result", b"error", b"malformed", b"batch", b"stderr",
        b"http", b"event", b"note", b"flag", b"unflag", b"nothing"))),
    (rb',"conn":\d+', (
        b',"http":4294967295', b',"http":1', b',"http":5', b',"about":4294967295', b',"about":1',
        b',"http":200,"about":3', b',"flags":"pending late orphan"', b',"flags":"masked"',
        b',"flags":"cancelled timed_out duplicate"', b',"stream":"POST"',
        b',"event":{"id":"1","retry":99999999999999999999,"event":"x"}',
        b',"event":{"id":"\\ud800"}',
        b',"event":{}')),
)  # fmt: skip


def _other_head(lines: list[bytes], at: int, random: Random) -> None:
    pattern, instead = random.choice(_HEADS)
    found = _LINE.fullmatch(lines[at])
    if found is not None:
        other = random.choice(instead)
        head = re.sub(
            pattern, lambda was: was[0] + other if other[:1] == b"," else other, found[1], count=1
        )
        lines[at] = sealed(head + found[2] + found[3] + found[4] + b',"crc":"00000000"}\n')


def _moved(lines: list[bytes], at: int, random: Random) -> None:
    lines.insert(random.randrange(len(lines)), lines.pop(at))


def _gone(lines: list[bytes], at: int, random: Random) -> None:
    del lines[at]


def _doubled(lines: list[bytes], at: int, random: Random) -> None:
    lines.insert(random.randrange(len(lines)), lines[at])


def _other_way(lines: list[bytes], at: int, random: Random) -> None:
    way = random.choice((b"in", b"out", b"local"))
    lines[at] = sealed(re.sub(rb'"dir":"[a-z]+"', b'"dir":"%s"' % way, lines[at], count=1))
