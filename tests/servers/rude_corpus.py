"""Answers that are odd in every way we could think of: bytes with a place for the request's id.

`CASES` maps a name to what `rude_wire corpus` writes when its tool `poke` is called with that name
as argument `case`. `fate` says what becomes of the call: ANSWERED it has an outcome of the server,
REFUSED it is lost at once with what is wrong, OPEN nothing tells that these bytes answer it, so
that it stays open with a hint. `words` stand in that outcome, its error or its hint.
"""

import json
from dataclasses import dataclass
from typing import Final, Literal

Fate = Literal["answered", "refused", "open"]
PLACE: Final = b"@ID@"
BODY: Final = b'"result":{"content":[{"type":"text","text":"ok"}]}'
PLAIN: Final = b'{"jsonrpc":"2.0","id":@ID@,' + BODY + b"}"
NOTE: Final = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}'
DIGITS: Final = b"7" * 5000
"""More than Python turns into an int unasked (4300)."""


@dataclass(frozen=True, slots=True)
class Case:
    """Bytes on stdout, and what becomes of the call that they come for."""

    raw: bytes
    fate: Fate
    words: str = ""

    def written(self, request_id: int) -> bytes:
        """The bytes, for that request."""
        return self.raw.replace(PLACE, str(request_id).encode())


def _answered(raw: bytes, words: str = "") -> Case:
    return Case(raw + b"\n", "answered", words)


def _refused(raw: bytes, words: str) -> Case:
    return Case(raw + b"\n", "refused", words)


def _open(raw: bytes, words: str = "") -> Case:
    return Case(raw + b"\n", "open", words)


def _result(value: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":@ID@,"result":%s}' % value


def _error(value: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":@ID@,"error":%s}' % value


def _id(text: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":%s,%s}' % (text, BODY)


def _before(line: bytes) -> Case:
    """A line, and then the honest answer."""
    return _answered(line + b"\n" + PLAIN, "ok")


def _note(method: bytes, params: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","method":"%s","params":%s}' % (method, params)


def _ask(request_id: bytes, method: bytes = b'"ping"', more: bytes = b"") -> bytes:
    return b'{"jsonrpc":"2.0","id":%s,"method":%s%s}' % (request_id, method, more)


def _nested(opening: bytes, depth: int, closing: bytes) -> bytes:
    return opening * depth + b"1" + closing * depth


_ANSWERED: Final = {
    "honest": _answered(PLAIN, "ok"),
    # line ends and what stands around
    "crlf": _answered(PLAIN + b"\r", "ok"),
    "two-carriage-returns": _answered(PLAIN + b"\r\r", "ok"),
    "spaces-around": _answered(b" \t  " + PLAIN + b" \t ", "ok"),
    "empty-lines": _before(b"\n\r\n\n"),
    "only-spaces": _before(b"  \t  "),
    "a-thousand-carriage-returns": _before(b"\r" * 1000),
    "printed": _before(b"Server listening...\n\n{'python': 'dict'}\n" + b'{"level": "info"}'),
    "nul-lines": _before(b"\0\n\0\0\0"),
    "form-feed-line": _before(b"\f\v\x1c\x85"),
    "bom-line": _before(b"\xef\xbb\xbf"),
    "bytes-of-all-kinds": _before(bytes(range(11, 256)) + bytes(range(10))),
    # values that are JSON and no message
    "null": _before(b"null"),
    "number": _before(b"-0"),
    "long-number": _before(DIGITS),
    "string": _before(b'"two"'),
    "long-string": _before(b'"' + b"x" * 1_000_000 + b'"'),
    "true": _before(b"true"),
    "nan-line": _before(b"NaN"),
    "empty-object": _before(b"{}"),
    "empty-batch": _before(b"[]"),
    "nested-batch": _before(b"[[[]]]"),
    "batch-of-scalars": _before(b'[1,null,"x",[],{}]'),
    "python-dict": _before(b"{'jsonrpc': '2.0', 'id': @ID@}"),
    "log-line-with-id": _before(b'{"level":"info","id":@ID@,"msg":"calling"}'),
    # the envelope
    "no-version": _answered(b'{"id":@ID@,' + BODY + b"}", "ok"),
    "version-1.0": _answered(b'{"jsonrpc":"1.0","id":@ID@,' + BODY + b"}", "ok"),
    "version-number": _answered(b'{"jsonrpc":2.0,"id":@ID@,' + BODY + b"}", "ok"),
    "id-last": _answered(b"{" + BODY + b',"jsonrpc":"2.0","id":@ID@}', "ok"),
    "id-twice": _answered(b'{"jsonrpc":"2.0","id":98765,"id":@ID@,' + BODY + b"}", "ok"),
    "escaped-names": _answered(
        rb'{"\u006asonrpc":"2.0","\u0069d":@ID@,"\u0072esult":{"content":[]}}', "content"
    ),
    "a-thousand-members": _answered(
        b"{" + b"".join(b'"m%d":%d,' % (n, n) for n in range(1000)) + PLAIN[1:], "ok"
    ),
    "in-a-batch": _answered(b"[" + PLAIN + b"]", "ok"),
    "in-a-batch-of-junk": _answered(b"[3,[]," + NOTE + b"," + PLAIN + b',"x",{}]', "ok"),
    # results
    "result-null": _answered(_result(b"null")),
    "result-false": _answered(_result(b"false")),
    "result-number": _answered(_result(b"0")),
    "result-text": _answered(_result(b'"ok"'), "ok"),
    "result-list": _answered(_result(b"[[],[{}]]")),
    "result-empty": _answered(_result(b"{}")),
    "result-twice": _answered(b'{"jsonrpc":"2.0","id":@ID@,"result":1,"result":{"b":2}}', "b"),
    "member-twice": _answered(_result(b'{"a":1.10,"a":2,"b":{"c":1,"c":2}}')),
    "minus-zero": _answered(_result(b'{"a":-0,"b":-0.0,"c":0e0,"d":1E+2}')),
    "big-integers": _answered(
        _result(b'{"a":%s,"b":-%s,"c":1180591620717411303424}' % (DIGITS, DIGITS))
    ),
    "out-of-range": _answered(_result(b'{"a":1e400,"b":-1e400,"c":1e-400}')),
    "long-fraction": _answered(_result(b'{"a":0.%s,"b":1.10}' % DIGITS)),
    "depth-500": _answered(_result(_nested(b"[", 500, b"]"))),
    "lone-surrogates": _answered(_result(rb'{"\ud800":"\udfff","a":"\ud83d"}')),
    "nul-in-strings": _answered(_result(rb'{"\u0000":"\u0000","content":[{"type":"\u0000"}]}')),
    "every-control": _answered(
        _result(json.dumps({chr(n): chr(n) for n in (*range(32), 127, *range(128, 160))}).encode())
    ),
    "empty-names": _answered(_result(b'{"":{"":{"":[""]}}}')),
    "long-name": _answered(_result(b'{"' + b"n" * 1_000_000 + b'":1}')),
    "noncharacters": _answered(_result('{"a":"\ufffe\uffff\U0010ffff\u2028\u2029"}'.encode())),
    "is-error-odd": _answered(_result(b'{"isError":"yes","content":{"type":"text"}}')),
    "content-odd": _answered(
        _result(
            b'{"content":[null,3,{"type":7},{},{"type":"image","data":5,"mimeType":[]},'
            b'{"type":"image","data":"!!!","mimeType":"image/png"},{"type":"audio"},'
            b'{"type":"resource","resource":[]},{"type":"resource_link","uri":7}]}'
        )
    ),
    "structured-odd": _answered(_result(b'{"structuredContent":[1],"content":null}')),
    # errors
    "error-code-float": _answered(_error(b'{"code":-32000.0,"message":"m1"}'), "m1"),
    "error-code-huge": _answered(_error(b'{"code":%s,"message":"m2"}' % (b"9" * 300)), "m2"),
    "error-code-minus-zero": _answered(_error(b'{"code":-0,"message":"m3"}'), "m3"),
    "error-message-long": _answered(
        _error(b'{"code":1,"message":"%s"}' % (b"m" * 1_000_000)), "mmm"
    ),
    "error-message-hostile": _answered(_error(rb'{"code":1,"message":"\u001b[2J\n\u202e\ud800"}')),
    "error-data-deep": _answered(
        _error(b'{"code":1,"message":"m4","data":%s}' % _nested(b'{"d":', 500, b"}")), "m4"
    ),
    "error-data-big": _answered(_error(b'{"code":1,"message":"m5","data":%s}' % DIGITS), "m5"),
    # what comes before an honest answer
    "notification-long-method": _before(_note(b"n" * 1_000_000, b"{}")),
    "notification-nul-method": _before(_note(rb"notifications/\u0000\ud800", b"{}")),
    "notification-params-odd": _before(
        b"\n".join(
            _note(method, params)
            for method in (
                b"notifications/message",
                b"notifications/progress",
                b"notifications/cancelled",
                b"notifications/resources/updated",
                b"notifications/tasks/status",
                b"notifications/elicitation/complete",
                b"notifications/tools/list_changed",
                b"notifications/tasks",
            )
            for params in (
                b"null",
                b"[]",
                b"7",
                b'{"level":7,"logger":[],"data":null}',
                b'{"progressToken":{},"requestId":{},"uri":3,"taskId":[],"elicitationId":0}',
            )
        )
    ),
    "progress-unknown": _before(
        _note(b"notifications/progress", b'{"progressToken":"no","progress":1}')
    ),
    "progress-odd": _before(
        b"\n".join(
            _note(
                b"notifications/progress",
                b'{"progressToken":%s,"progress":%s,"total":%s,"message":7}'
                % (token, value, total),
            )
            for token in (
                b"@ID@",
                b"-1",
                b"@ID@.5",
                b"@ID@.0",
                b'"@ID@"',
                b"null",
                b"true",
                b"[]",
                DIGITS,
            )
            for value, total in (
                (b"9", b"4"),
                (b"3", b"-1"),
                (b"1e400", b"1e400"),
                (b"-5", b"0"),
                (DIGITS, DIGITS),
                (b'"x"', b"null"),
            )
        )
    ),
    "cancels-unknown": _before(
        b"\n".join(
            _note(b"notifications/cancelled", b'{"requestId":%s,"reason":7}' % which)
            for which in (b"98765", b'"x"', b"1.5", b"null", b"[]", b"@ID@", DIGITS, b"1")
        )
    ),
    "asks-with-our-id": _before(_ask(b"@ID@") + b"\n" + _ask(b'"@ID@"', b'"roots/list"')),
    "asks-twice-with-one-id": _before(_ask(b'"twice"') + b"\n" + _ask(b'"twice"')),
    "asks-with-odd-ids": _before(
        b"\n".join(
            map(
                _ask,
                (
                    b"-1",
                    b'""',
                    b"0",
                    b"1.5",
                    b"1e0",
                    b"null",
                    b"true",
                    b"{}",
                    b"[]",
                    DIGITS,
                    b'"\\ud800"',
                    b'"\\u0000"',
                    b'"' + b"i" * 100_000 + b'"',
                    b"12345678901234567890123",
                ),
            )
        )
    ),
    "asks-with-odd-methods": _before(
        b"\n".join(
            _ask(b'"m"', method)
            for method in (
                b"7",
                b"null",
                b"[]",
                b"{}",
                b'""',
                b'"\\u0000"',
                b'"\\ud800"',
                b'"' + b"m" * 1_000_000 + b'"',
            )
        )
    ),
    "asks-with-odd-params": _before(
        b"\n".join(
            _ask(b'"p%d"' % number, b'"sampling/createMessage"', b',"params":' + params)
            for number, params in enumerate(
                (
                    b"null",
                    b"[]",
                    b'"x"',
                    b"7",
                    b'{"messages":7}',
                    b'{"messages":[7],"maxTokens":-1}',
                )
            )
        )
    ),
    "answers-a-notification": _before(
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"what?"}}'
    ),
    "orphan": _before(_id(b"98765")),
    "orphan-string": _before(_id(b'"nobody"')),
    "answers-twice": _answered(PLAIN + b"\n" + PLAIN, "ok"),
    "answers-and-fails": _answered(_error(b'{"code":1,"message":"m6"}') + b"\n" + PLAIN, "m6"),
}

_REFUSED: Final = {
    # bytes
    "bom": _refused(b"\xef\xbb\xbf" + PLAIN, "byte order mark"),
    "bom-in-the-middle": _refused(_result(b"\xef\xbb\xbf{}"), "not JSON"),
    "latin-1": _refused(_result(b'{"\xe9":1}'), "not UTF-8: byte 0xE9"),
    "overlong": _refused(_result(b'{"a":"\xc0\x80"}'), "not UTF-8: byte 0xC0"),
    "surrogate-bytes": _refused(_result(b'{"a":"\xed\xa0\x80"}'), "not UTF-8: byte 0xED"),
    "cut-character": _refused(_result(b'{"a":"\xf0\x9f\x98"}'), "not UTF-8: byte 0xF0"),
    "control-in-string": _refused(_result(b'{"a":"\x1b[2J\x00"}'), "control character"),
    "carriage-return-for-newline": _refused(PLAIN + b"\r" + NOTE, "more after the end"),
    "two-answers-on-a-line": _refused(PLAIN + _id(b'"other"'), "more after the end"),
    "trailing-text": _refused(PLAIN + b" # done", "more after the end"),
    "trailing-nul": _refused(PLAIN + b"\0", "more after the end"),
    "cut": _refused(PLAIN[:-3], "ends in the middle"),
    "cut-in-a-string": _refused(PLAIN[: PLAIN.index(b"ok") + 1], "a string has no end"),
    "interleaved": _refused(PLAIN[:60] + (NOTE + b"\n") * 100 + PLAIN[60:], "not JSON"),
    "comma-at-the-end": _refused(_result(b'{"a":1,}'), "not JSON"),
    "comment": _refused(PLAIN[:-1] + b"/*x*/}", "not JSON"),
    "nan": _refused(_result(b'{"a":NaN}'), "NaN is no JSON number"),
    "infinity": _refused(_result(b'{"a":[-Infinity]}'), "-Infinity is no JSON number"),
    "leading-zero": _refused(_result(b'{"a":01}'), "not JSON"),
    "plus": _refused(_result(b'{"a":+1}'), "not JSON"),
    "hexadecimal": _refused(_result(b'{"a":0x1F}'), "not JSON"),
    "single-quotes": _refused(_result(b"{'a':1}"), "not JSON"),
    "bad-escape": _refused(_result(rb'{"a":"\x41"}'), "not JSON"),
    "half-escape": _refused(_result(rb'{"a":"\u12"}'), "not JSON"),
    "depth-1000": _refused(_result(_nested(b"[", 1000, b"]")), "nested deeper than 512"),
    "depth-100000": _refused(_result(_nested(b"[", 100_000, b"]")), "nested deeper than 512"),
    "objects-1000": _refused(_result(_nested(b'{"a":', 1000, b"}")), "nested deeper than 512"),
    "never-closed": _refused(_result(b"[" * 100_000), "nested deeper than 512"),
    # the envelope
    "id-leading-zero": _refused(_id(b"0@ID@"), "not JSON"),
    "id-decimal": _refused(_id(b"@ID@.0"), "is no request id"),
    "id-exponent": _refused(_id(b"@ID@e0"), "is no request id"),
    "both": _refused(
        PLAIN[:-1] + b',"error":{"code":1,"message":"x"}}', "both a result and an error"
    ),
    "neither": _refused(b'{"jsonrpc":"2.0","id":@ID@}', "neither a method nor a result"),
    "method-null": _refused(PLAIN[:-1] + b',"method":null}', "the method is not a string"),
    "error-text": _refused(_error(b'"it failed"'), "error is not an object"),
    "error-null": _refused(_error(b"null"), "error is not an object"),
    "error-list": _refused(_error(b"[]"), "error is not an object"),
    "error-empty": _refused(_error(b"{}"), "no integer code"),
    "error-code-text": _refused(_error(b'{"code":"E1","message":"m"}'), "no integer code"),
    "error-code-true": _refused(_error(b'{"code":true,"message":"m"}'), "no integer code"),
    "error-code-fraction": _refused(_error(b'{"code":1.5,"message":"m"}'), "no integer code"),
    "error-code-infinite": _refused(_error(b'{"code":1e400,"message":"m"}'), "no integer code"),
    "error-code-longest": _refused(
        _error(b'{"code":%s,"message":"m"}' % DIGITS), "no integer code"
    ),
    "error-no-message": _refused(_error(b'{"code":1}'), "no message string"),
    "error-message-number": _refused(_error(b'{"code":1,"message":7}'), "no message string"),
    # an answer behind something else: waited for a second, since a log may quote one
    "text-before": _refused(b"DEBUG calling " + PLAIN, "stands in a line with something else"),
    "nul-before": _refused(b"\0" + PLAIN, "stands in a line with something else"),
    "note-before": _refused(NOTE + PLAIN, "stands in a line with something else"),
    "sse": _refused(
        b"event: message\ndata: " + PLAIN + b"\n", "stands in a line with something else"
    ),
}

_OPEN: Final = {
    "nothing": Case(b"", "open"),
    "bad-byte-in-the-id": _open(_id(b"\xff@ID@"), "not UTF-8: byte 0xFF at offset 22"),
    "id-missing": _open(b'{"jsonrpc":"2.0",' + BODY + b"}", "the result has no id"),
    "id-null": _open(_id(b"null"), "id null is no request id"),
    "id-text": _open(_id(b'"@ID@"'), "a string is not a number"),
    "id-true": _open(_id(b"true"), "is no request id"),
    "id-object": _open(_id(b'{"id":@ID@}'), "is no request id"),
    "id-list": _open(_id(b"[@ID@]"), "is no request id"),
    "id-huge": _open(_id(DIGITS), "is no request id"),
    "id-long": _open(_id(b'"' + b"i" * 1_000_000 + b'"'), "iii"),
    "id-surrogate": _open(_id(rb'"\ud800"'), "unknown id"),
    "id-nul": _open(_id(rb'"\u0000"'), "unknown id"),
    "id-negative": _open(_id(b"-@ID@"), "unknown id"),
    "id-other": _open(_id(b"98765"), "unknown id 98765"),
    "error-id-null": _open(
        _error(b'{"code":-32700,"message":"P"}').replace(PLACE, b"null"), "names no request"
    ),
    "single-quoted": _open(b"{'jsonrpc': '2.0', 'id': @ID@, 'result': {}}", "in double quotes"),
    "over-lines": _open(PLAIN.replace(b",", b",\n"), "no message (entry"),
    "utf-16": _open(PLAIN.decode().encode("utf-16-le") + b"\n", "in double quotes"),
    "utf-32": _open(PLAIN.decode().encode("utf-32-le"), ""),
    "percent-encoded": _open(PLAIN.replace(b'"', b"%22"), "not JSON"),
    "base64": _open(b"eyJqc29ucnBjIjoiMi4wIn0=", "not JSON"),
}

CASES: Final[dict[str, Case]] = _ANSWERED | _REFUSED | _OPEN
