import base64
import json
import re
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.entries import Direction, Flag, HttpFacts
from inspector.journal.redact import _MEMBER, LEARNED_MOST, Redactor, _perhaps_telling
from inspector.protocol.messages import JsonObject, encode_json
from tests.journal.conversation import Conversation, request

SECRET = 'can/ary "7+ä'
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"


@pytest.mark.parametrize(
    "look",
    [
        SECRET,
        json.dumps(SECRET),
        json.dumps(SECRET, ensure_ascii=False),
        quote(SECRET),
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        SECRET.encode().hex(),
        SECRET.encode().hex().upper(),
        "".join(f"%{byte:02x}" for byte in SECRET.encode()),
        "".join(f"\\u{ord(sign):04x}" for sign in SECRET),
        json.dumps(json.dumps("".join(f"\\u{ord(sign):04X}" for sign in SECRET))),
        SECRET.replace('"', "&quot;"),
        SECRET.replace("/", "\\/").replace('"', "\\u0022"),
        "".join(f"&#{ord(sign)};" for sign in SECRET),
        quote(quote(SECRET, safe=""), safe=""),
    ],
)
def test_a_secret_is_masked_however_it_is_written(look: str) -> None:
    redactor = Redactor()
    redactor.learn(SECRET)
    masked, changed = redactor.text(f"before {look} after".encode())
    assert changed
    assert look.strip('"').encode() not in masked
    assert masked.startswith(b"before ")
    assert masked.endswith(b" after")


@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "user:"])
def test_a_secret_inside_base64_is_masked(before: str) -> None:
    secret = "a-long-secret-value-1234567890"
    redactor = Redactor()
    redactor.learn(secret)
    raw = base64.b64encode(f"{before}{secret}:after".encode())
    masked, changed = redactor.text(raw)
    assert changed
    core = base64.b64encode(secret[3:-3].encode())[4:-8]
    assert core not in masked


def test_a_secret_under_escapes_that_no_pattern_follows_takes_its_string_along() -> None:
    redactor = Redactor()
    redactor.learn("a-long-secret-value")
    inner = base64.b64encode(b"a-long-secret-value").decode().replace("l", "\\u006c")
    raw = b'{"kept": "yes", "x": "%b"}' % inner.encode()
    assert redactor.text(raw) == (b'{"kept": "yes", "x": "[masked]"}', True)
    assert redactor.without_ours(raw) == b'{"kept": "yes", "x": "[masked]"}'
    assert redactor.text(raw.replace(b'"', b""))[0] == b'"[masked]"'


def test_escapes_that_hide_no_secret_stay_as_they_are() -> None:
    redactor = Redactor()
    redactor.learn("a-long-secret-value")
    raw = b'{"x": "100% \\u00e9 a&amp;b %41"}'
    assert redactor.text(raw) == (raw, False)
    assert redactor.without_ours(raw) is raw


def test_long_texts_are_searched_too() -> None:
    redactor = Redactor()
    redactor.learn("a-long-secret-value")
    raw = b"x" * 100_000 + b"a-long-secret-value" + b"y" * 100_000
    assert b"a-long-secret-value" not in redactor.text(raw)[0]


def test_a_secret_of_a_megabyte_is_masked_without_a_pattern_of_that_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled: list[int] = []
    compile_pattern = re.compile

    def watched(pattern: bytes) -> re.Pattern[bytes]:
        compiled.append(len(pattern))
        return compile_pattern(pattern)

    monkeypatch.setattr(re, "compile", watched)
    secret = "a1/+" * 250_000
    redactor = Redactor()
    redactor.learn(secret)
    redactor.learn("short-secret")
    assert max(compiled) < 1000
    for look in (secret, json.dumps(secret), quote(secret, safe=""), secret.encode().hex()):
        masked, changed = redactor.text(f"before {look} short-secret".encode())
        assert changed
        assert len(masked) < 100
        assert masked.startswith(b"before ")


def test_text_without_a_secret_comes_back_as_the_same_object() -> None:
    redactor = Redactor()
    redactor.learn("a-long-secret-value")
    raw = b'{"J":"eyJ"}'
    assert redactor.text(raw) == (raw, False)
    assert redactor.text(raw)[0] is raw


def test_short_values_are_no_secrets() -> None:
    redactor = Redactor()
    redactor.learn("abc")
    redactor.learn("  ")
    assert redactor.text(b"abc") == (b"abc", False)


def test_equal_secrets_have_equal_masks_and_different_ones_do_not() -> None:
    redactor = Redactor()
    (_, one), (_, same), (_, other) = redactor.headers(
        (("Cookie", "session=1"), ("Cookie", "session=1"), ("Cookie", "session=2"))
    )
    assert one == same != other


def test_secret_headers_are_masked_by_name_and_keep_their_scheme() -> None:
    redactor = Redactor()
    headers = redactor.headers(
        (
            ("Authorization", "Bearer abc"),
            ("mcp-session-id", "s"),
            ("X-My-Token", "t"),
            ("Accept", "text/plain"),
        )
    )
    assert headers[0][1].startswith("Bearer [masked ")
    assert headers[1][1].startswith("[masked ")
    assert headers[2][1].startswith("[masked ")
    assert headers[3] == ("Accept", "text/plain")


def test_urls_lose_their_passwords_and_keys() -> None:
    url = Redactor().url("https://user:pw@host/mcp?api_key=K1&page=2&code=C1#access_token=T1")
    assert not any(secret in url for secret in ("user:pw", "K1", "C1", "T1"))
    assert "page=2" in url


def test_a_web_token_is_masked_by_its_shape() -> None:
    masked, changed = Redactor().text(f'{{"t":"{JWT}"}}'.encode())
    assert changed
    assert JWT.split(".")[2].encode() not in masked
    json.loads(masked)


def test_no_sink_of_the_journal_ever_holds_a_secret() -> None:
    talk = Conversation()
    journal, canary = talk.journal, "canary-4f8a9b2c"
    journal.redactor.learn(canary)
    numbers = [
        journal.frame(Direction.SENT, encode_json(request(canary, name=canary)), connection=1),
        journal.frame(Direction.SENT, encode_json(request(1, f"x/{canary}")), connection=1),
        journal.stderr(f"token={canary}".encode(), connection=1),
        journal.event("env", {"TOKEN": canary}, connection=1),
        journal.note(1, canary),
        journal.http(
            HttpFacts(
                "POST",
                f"http://h/?x={canary}",
                (("Accept", canary),),
                200,
                canary,
                (("Set-Cookie", canary),),
                error=canary,
                body=base64.b64encode(canary.encode()),
            ),
            connection=1,
        ),
    ]
    everything = journal.file.read(0, journal.file.size)
    for look in (canary.encode(), base64.b64encode(canary.encode())[:-4]):
        assert look not in everything
    assert not any(canary in method for method in journal.methods)
    assert all(Flag.MASKED in journal.row(number).flags for number in numbers)


@pytest.mark.parametrize(
    "name", ["token", "accessToken", "api-key", "apiKey", "X-Auth-Token", "key", "auth", "sig"]
)
def test_a_secret_in_a_url_is_masked_there_and_wherever_it_is_repeated(name: str) -> None:
    redactor, secret = Redactor(), "s3cr3t/value+1"
    url = f"http://h/mcp?page=2222222&{name}={quote(secret, safe='')}"
    redactor.learn_url(url)
    for text in (redactor.url(url), redactor.text(f"no {secret} at {url}".encode())[0].decode()):
        assert secret not in text
        assert quote(secret, safe="") not in text
        assert "page=2222222" in text or "no [masked" in text


@pytest.mark.parametrize(
    "name",
    ["password", "apiKey", "api_token", "client-secret", "Token", "sshPrivateKey", "secret_key"],
)
def test_what_we_send_under_a_telling_name_is_masked_there_and_in_answers(name: str) -> None:
    redactor, secret = Redactor(), 'hunter2"/long'
    call = encode_json({"id": 1, "params": {"arguments": {name: secret, "user": "me"}}})
    masked, changed = redactor.sent(call)
    assert changed
    arguments = json.loads(masked)["params"]["arguments"]
    assert arguments["user"] == "me"
    assert arguments[name].startswith("[masked ")
    answer = redactor.text(encode_json({"text": f"you said {secret}"}))[0]
    assert b"hunter2" not in answer


@pytest.mark.parametrize(
    "word", ["string", "jsonrpc", "password", "2025-06-18", "tools/call", "short1"]
)
def test_a_common_word_in_a_secret_place_is_masked_there_only(word: str) -> None:
    redactor = Redactor()
    masked, changed = redactor.sent(encode_json({"password": word}))
    assert changed
    assert word not in json.loads(masked)["password"]
    other = encode_json({"jsonrpc": "2.0", "method": "tools/call", "said": word})
    assert redactor.text(other) == (other, False)


@pytest.mark.parametrize(
    "text",
    [
        '{"access_token":"s3cr3t-value","expires_in":5}',
        '{"text":"{\\"refresh_token\\": \\"s3cr3t-value\\"}"}',
        """{"line":"{'client_secret': 's3cr3t-value'}"}""",
        '{"location":"http://127.0.0.1:5/cb?code=s3cr3t-value&state=x"}',
        '{"location":"http://127.0.0.1:5/cb?x=1&access_token=s3cr3t-value"}',
    ],
)
def test_secrets_of_an_authorization_are_masked_by_the_name_they_have(text: str) -> None:
    masked, changed = Redactor().text(text.encode())
    assert changed
    assert b"s3cr3t" not in masked
    json.loads(masked)


@pytest.mark.parametrize(
    "message",
    [
        {"params": {"_meta": {"progressToken": "p-1234567"}}},
        {"result": {"next_page_token": "abcdefgh1", "nextCursor": "c"}},
        {"inputSchema": {"properties": {"password": {"type": "string"}}, "required": ["password"]}},
        {"result": {"tokens": "12345678a", "max_tokens": 5, "secretary": "Ada Lovelace 1"}},
    ],
)
def test_names_that_are_no_secrets_stay_as_they_are(message: JsonObject) -> None:
    raw = encode_json(message)
    assert Redactor().text(raw) == (raw, False)
    assert Redactor().sent(raw) == (raw, False)


def test_a_message_teaches_a_bounded_number_of_secrets() -> None:
    redactor = Redactor()
    for number in range(LEARNED_MOST + 50):
        redactor.sent(encode_json({"token": f"value-{number:08}"}))
    late = encode_json({"said": f"value-{LEARNED_MOST + 49:08}"})
    assert redactor.text(late) == (late, False)
    assert redactor.text(encode_json({"said": "value-00000000"}))[1]


NAME = st.lists(
    st.sampled_from(
        ["progress", "Token", "token", "TOKEN", "_", "-", "a", "Secret", "api", "key", "private",
         "access", "credential", "s", "PASSWORD", "passwd", "passphrase", "page", '"', "Key"]
    ),
    max_size=4,
).map("".join)  # fmt: skip


@given(st.lists(st.tuples(NAME, st.sampled_from(['": "x', '":"x"', '"'])), max_size=4))
def test_no_telling_name_escapes_the_quick_look(members: list[tuple[str, str]]) -> None:
    raw = "".join(f'"{name}{rest}' for name, rest in members).encode()
    if _MEMBER.search(raw) is not None:
        assert _perhaps_telling(raw)


def test_a_plain_call_with_a_progress_token_needs_no_long_look() -> None:
    raw = b'{"params":{"name":"add","arguments":{"a":2},"_meta":{"progressToken":7}}}'
    assert not _perhaps_telling(raw)
    assert Redactor().sent(raw) == (raw, False)
