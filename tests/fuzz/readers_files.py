"""Readers of what users, hosts and earlier runs wrote: config files, filters, records, keys."""

from pathlib import Path
from typing import Any, Final

from inspector.auth.records import Unreadable, read_client, read_grant
from inspector.auth.signing import make_signer
from inspector.cli.arguments import ToolArguments, prompt_arguments, request_params
from inspector.config import jsonc
from inspector.config.discovery import ConfigFile, read_config
from inspector.config.keymaps import KnownBinding, load_keymap
from inspector.config.recents import Recents
from inspector.config.settings import load_settings
from inspector.config.targets import Target, check_url, parse_typed
from inspector.config.themes import load_palette
from inspector.config.trust import TrustStore
from inspector.errors import RecordingError, UsageError
from inspector.export.rules import parse_rules
from inspector.forms import jsontext
from inspector.forms.cli_args import object_of, read_arguments
from inspector.journal.journal import Journal
from inspector.journal.lines import event_in, header_format, read_line
from inspector.journal.loading import load_recording
from inspector.journal.query import compile_filter
from inspector.journal.query_nodes import FilterError
from inspector.journal.stepping import WrongPlaceError, read_place
from inspector.transport.replay_script import read_scripts
from tests.fuzz.readers import Reader, text

_BINDINGS: Final = (KnownBinding("app.quit", ("q",)), KnownBinding("list.up", ("k", "up"), "list"))
CONFIG: Final[Any] = {
    "inputs": [{"id": "k", "type": "promptString", "default": "d", "description": "e"}],
    "mcpServers": {
        "a": {"command": "x", "args": ["-y", "${HOME}", "${input:k}"], "env": {"A": "${env:B}"},
              "cwd": "~", "disabled": False, "envFile": ".env"},
        "b": {"type": "http", "url": "https://x/${C:-d}", "headers": {"A": "b"},
              "oauth": {"clientId": "c", "callbackPort": 80, "scope": ["a"], "grantType": "x"}},
    },
    "servers": {"c": {"command": ["x", "y"]}}, "mcp": {"servers": {"d": {"url": "http://y"}}},
    "projects": {"/p": {"mcpServers": {"e": {"command": "z"}}}},
}  # fmt: skip
_RECENT: Final[Any] = {
    "format": 1,
    "recents": [{"command": ["x"], "url": "", "when": 1.5, "transport": "stdio", "name": "n",
                 "cwd": "/", "source": "/x", "env": ["A"], "headers": [], "missing": ["A"],
                 "oauth": {"client_id": "c", "private_key": "/k", "client_credentials": True}}],
}  # fmt: skip
_TRUST: Final[Any] = {"format": 1, "salt": "00", "trusted": {"a": "b"}}
_GRANT: Final[Any] = {
    "kind": "grant", "version": 1,
    "kept_at": 1.0, "grant": {"profile": {}, "client": {}, "tokens": {"expires_at": 5}},
}  # fmt: skip
_KEYS: Final = (
    b"-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg\n"
    b"-----END PRIVATE KEY-----\n",
    {"kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
     "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
     "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI", "kid": "k", "alg": "ES256"},
    {"kty": "oct", "k": "AA"}, {"kty": "RSA", "n": "AQAB", "e": "AQAB", "d": "AQAB"},
)  # fmt: skip
_WEATHER: Final = Path(__file__).parent.parent / "recordings" / "weather.jsonl"
_LINE: Final = (
    b'{"n":1,"at":"2026-01-01T00:00:00.000Z","us":0,"kind":"event","dir":"local","conn":1,'
    b'"event":{"id":"1"},"len":2,"raw":{},"crc":"00000000"}\n'
)


def _config(content: bytes, path: Path) -> None:
    for found in read_config(ConfigFile("VS Code", path, path.parent), path.parent, {"B": "b"}):
        if found.target is not None:
            found.target.label  # noqa: B018 - a property that is drawn


def _kept(content: bytes, path: Path) -> None:
    for recent in Recents(path).load():
        recent.target.label  # noqa: B018 - a property that is drawn
    TrustStore(path).is_trusted(Target(("x",), source=Path("/y")))


def _settings(content: bytes, path: Path) -> None:
    load_settings(path)
    load_keymap(_BINDINGS, path)
    load_palette(path)


def _filter(content: bytes, _: Path) -> None:
    wanted = compile_filter(text(content))
    journal = Journal()
    connection = journal.begin_connection({"transport": "stdio"})
    journal.stderr(b"aaaaaaaaaaaaaaaaaaaaaaaa!", connection=connection)
    for part in wanted.scan(journal):
        list(part)
    journal.close()


def _words(content: bytes, _: Path) -> None:
    said = text(content)
    for read in (
        lambda: ToolArguments([said, "b:=1"], None),
        lambda: ToolArguments([], said.replace("@", "")),
        lambda: prompt_arguments([said]),
        lambda: request_params(said.removeprefix("@")),
        lambda: read_arguments([said], {"properties": {"a": {"type": "integer"}}}),
        lambda: object_of(said, "x"),
        lambda: check_url(said),
        lambda: parse_typed(said[:10_000]),
    ):
        try:
            read()
        except UsageError:
            continue


def _records(content: bytes, _: Path) -> None:
    for read in (read_grant, read_client):
        try:
            read(text(content))
        except Unreadable:
            continue


def _json_text(content: bytes, _: Path) -> None:
    value = jsontext.parse(text(content))
    jsontext.dump(value, 2)
    jsontext.plain(value)


def _line(content: bytes, _: Path) -> None:
    read_line(content)
    header_format(content)
    event_in(content)


def _recording(content: bytes, path: Path) -> None:
    journal = load_recording(path)
    read_scripts(journal)
    journal.close()


FILES: Final = (
    Reader("jsonc", (CONFIG, b'{"a": 1, // x\n /* y */ "b": [1,2,],}'),
           lambda content, _: jsonc.loads(text(content)), jsonc.JsoncError),
    Reader("configs", (CONFIG,), _config, words=(
        "command", "args", "env", "url", "type", "headers", "oauth", "cwd", "envFile", "disabled",
        "mcpServers", "servers", "projects", "inputs", "callbackPort", "clientId", "mcp", "id")),
    Reader("kept", (_RECENT, _TRUST), _kept),
    Reader("settings", (b'[appearance]\ntheme = "x"\n[connection]\ntimeout = 5.5\nroots = ["a:/"]\n'
                        b'protocol = "auto"\n[recording]\nrecord = true\n'
                        b'[asks]\nsampling = "ask"\n',
                        b'[keys]\napp.quit = "q,ctrl+q"\n"list.up" = ["k"]\nx = 1979-05-27\n',
                        b'name = "x"\ndark = true\nprimary = "#aabbcc"\ntext = "#fff"\nborder="a"\n'
                        b'[variables]\na = "b"\n'), _settings),
    Reader("filters", (b"is:error|pending method:tools/* | (name:x -kind:event)",
                       b"$.params.arguments[0].a~'x' /a(b|c)*d/i", b"ms:100..200 size>10k n:1..5",
                       b'after:12:01:02.5Z before:#31 "two words" status:4xx'),
           _filter, FilterError),
    Reader("places", (b"#12", b"+1.5s", b"-10", b"50%", b"12:01:02.250", b"end"),
           lambda content, _: read_place(text(content)), (WrongPlaceError, UsageError)),
    Reader("redactions", (b"key=name", b"path=$.params[*].x", b"value=secret", b"regex=[a-z]{3,5}",
                          b"value-env=HOME", b"regex=(?P<a>x)(?(a)y|z)"),
           lambda content, _: parse_rules([text(content)], {"HOME": "/root/x"}), UsageError),
    Reader("words", (b"a:=1.10", b'b.c:={"d":[1]}', b"e=text", b'{"a": 1}', b"http://h:1/p?q#f",
                     b"python 'a b' --x=\"y\"", b"-- sh -c 'x'"), _words),
    Reader("json text", ({"a": [1, 2.5, {"b": None}]},), _json_text, jsontext.JsonTextError),
    Reader("records", (_GRANT, {"kind": "client", "version": 1, "client": {"client_id": "x"}}),
           _records),
    Reader("keys", _KEYS, lambda content, _: make_signer(content), UsageError),
    Reader("lines", (_LINE, b'{"format":2,"program":"mcp-inspect","created":"2026Z","crc":"0"}\n'),
           _line),
    Reader("recordings", (_WEATHER.read_bytes(),), _recording, RecordingError),
)  # fmt: skip
