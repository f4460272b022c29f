"""Every headless command meets a server that is hostile in all that it says, in a pipe and at a
terminal: nothing but seen text comes out, and nothing of it is lost."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from inspector.cli.main import cli
from tests.hostile import commands_server as server
from tests.hostile import test_commands_recorded as recorded
from tests.hostile.commands_look import looked_at, missing, quotes, squeezed, strays
from tests.hostile.commands_runs import Runs, Shown, running
from tests.hostile.commands_web import serving
from tests.servers.hostile_texts import NONCE, TEXTS

Words = tuple[str, ...]
PYTHON: Final = (sys.executable, "-m", "tests.hostile.commands_server")
N: Final = server.numbers()


def started(*mode: str) -> Words:
    """The words that end a command with the server as target."""
    return ("--env", f"HOSTILE_NONCE={NONCE}", "--", *PYTHON, *mode)


def each(*labels: str) -> list[str]:
    return [server.text(label, number) for label in labels for number in N]


def all_of(*labels: str) -> list[str]:
    return [server.every(label) for label in labels]


TOOLS = each("tool", "tooldescription", "argument", "type", "types") + all_of("nameless", "notool")
RESOURCES = each("uri", "name", "mime", "description")
TEMPLATES = each("template", "templatename", "templatedescription")
PROMPTS = each("prompt", "prompttitle", "promptdescription", "promptargument")
BLOCKS = each(
    "said", "imagemime", "audiomime", "linkuri", "linkname", "inner", "blobmime", "noblock"
)

SHOWN: Final[tuple[tuple[Words, Words, int, list[str]], ...]] = (
    # command, mode of the server, exit code, what is shown whole
    (("info",), (), 0, all_of("server", "servertitle", "version", "instructions")),
    (("list", "tools"), (), 0, TOOLS),
    (("list", "resources"), (), 0, RESOURCES),
    (("list", "templates"), (), 0, TEMPLATES),
    (("list", "prompts"), (), 0, PROMPTS),
    (("call", "plain", "a=1"), (), 0, BLOCKS + each("key", "structured")),
    (("read", "x:1"), (), 0, each("readuri", "read", "readmime") + all_of("nocontent")),
    (("prompt", "plain"), (), 0, each("role") + BLOCKS),
    (("request", "x/any"), (), 0, []),
    (("request", "nope"), ("bare",), 1, all_of("error")),
)
"""Where everything is shown."""

CUT: Final[tuple[tuple[Words, Words, tuple[int, ...]], ...]] = (
    (("lint",), (), (1,)),
    (("lint", "--portability", "--format", "sarif"), (), (1,)),
    (("lint", "--format", "junit"), (), (1,)),
    (("lint",), ("odd",), (1, 4, 5)),
    (("matrix", "plain", "--protocol", "2025-11-25"), ("few",), (0, 1)),
    (("list", "all"), ("bare",), (0,)),
    (("call", "plain", "a=1", "--timeout", "2"), ("odd",), (4, 5)),
    (("info", "-v"), ("dead",), (3,)),
    (("info",), ("dead",), (3,)),
    (("list", "tools"), ("dies",), (3, 4)),
    (("info", "--timeout", "1.2", "--protocol", "modern"), ("mute",), (3, 5)),
    (("request", TEXTS["title"]), ("bare",), (1,)),
)
"""Where a part is quoted, or only told of."""

AREAS: Final = (
    *("reason", "headers", "html", "type", "json", "error", "refused", "redirect", "away", "later"),
    *("gone", "encoding", "status", "junk", "head", "long", "unauthorized", "challenge"),
    *("forbidden", "mcp"),
)
PROTECTED: Final = (
    *("plain", "servers", "several", "odd", "elsewhere", "issuer", "endpoints", "methods", "text"),
    "down",
)
DARK: Final = "\x1b]0;" + NONCE + "\x07\x9b2J\u202e\ufeff\udcff\x7f\U000e0041\u3164\n\r"
"""What somebody may have pasted, or a file may be called."""
NOWHERE: Final = "http://127.0.0.1:1/"
H, U = DARK, NOWHERE
TYPED: Final[tuple[Words, ...]] = (
    (H,), ("info", H), ("info", H + U), ("info", U + H), ("list", H, U), ("call", "x", H, U),
    ("call", "x", "--args", H, U), ("call", "x", f"--args=@{H}", U), ("call", "x", f"a@={H}", U),
    ("call", "x", f"a:={H}", U), ("read", H, H, U), ("prompt", "x", H, U),
    ("prompt", "x", f"a@={H}", U), ("request", "x", H, U), ("request", "x", f"@{H}", U),
    ("request", "x", f'{{"a":"{H[:-2]}"}}', U), ("matrix", "--prompt", H, H, U), ("lint", H),
    ("lint", "--rule", H, "x"), ("lint", "--format", H), ("lint", f"--{H}"), ("diff", H, H),
    ("diff", "--ignore", H, "a", "b"), ("export", H), ("export", "x", "--format", H),
    ("export", "x", "-o", H), ("export", "x", "--redact", H),
    ("export", "x", "--redact", f"regex=({H}"), ("export", "x", "--redact", f"key={H}"),
    ("export", "x", "--filter", f'"{H}'), ("open", H), ("open", "x", H), ("login", H),
    ("login", "--issuer", H, U), ("login", "--redirect-uri", H, U),
    ("login", "--client-secret-env", H, U), ("logout", H), ("logout", U + H),
    ("login", "--client-credentials", "--client-id", "x", "--private-key", H, U), ("config", H),
    ("conformance-client", H), ("demo", "--server", H), ("demo", H), ("info", "--server", H),
    ("info", "--server", H, "--config", H), ("info", "--config", H), ("info", "--transport", H, U),
    ("info", "--protocol", H, U), ("info", "--env", H, "--", "x"),
    ("info", "--env", f"={H}", "--", "x"), ("info", "--cwd", H, "--", "x"),
    ("info", "--header", H, U), ("info", "--header", f"X: {H}", U), ("info", "--bearer", H, U),
    ("info", "--bearer-env", H, U), ("info", "--root", H, U), ("info", "--timeout", H, U),
    ("info", "--record", f"{H}/x", "--", "x"), ("info", "--on-sampling", H, U),
    ("info", "--on-elicitation", f"answer=@{H}", U),
    ("info", "--on-elicitation", f"answer={H}", U), ("info", "--", H), ("info", "--", f"/{H}"),
    ("info", f"http://{NONCE}\u202e.example/"), ("info", f"x{H}://h"), ("--help",),
    ("info", "--help"), ("--version",), ("call",), ("info",), ("list", "--list-rules"),
)  # fmt: skip


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    with running(tmp_path_factory.mktemp("home")) as found:
        yield found


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with serving() as base:
        yield base


def name(value: object) -> str:
    return " ".join(map(ascii, value))[:60] if isinstance(value, tuple) else ""


@pytest.mark.parametrize(("words", "mode", "code", "whole"), SHOWN, ids=name)
def test_all_that_a_server_says_is_shown_and_nothing_of_it_is_obeyed(
    runs: Runs, words: Words, mode: Words, code: int, whole: list[str]
) -> None:
    piped = looked_at(runs.pipes(*words, *started(*mode)))
    assert piped.code == code
    assert missing(piped.both, whole) == []
    seen = looked_at(runs.terminal(*words, *started(*mode)), tty=True)
    assert seen.code == code
    assert missing(seen.out, whole) == []


def result(method: str) -> Any:
    return server.result(method, {"protocolVersion": "2025-11-25"}, "")


JSON: Final[tuple[tuple[Words, Callable[[], Any]], ...]] = (
    (("list", "all"), lambda: {**result("tools/list"), **result("resources/list"),
      **result("resources/templates/list"), **result("prompts/list")}),
    (("call", "plain", "a=1"), lambda: result("tools/call")),
    (("read", "x:1"), lambda: result("resources/read")),
    (("prompt", "plain"), lambda: result("prompts/get")),
    (("request", "x/any"), lambda: result("x/any")),
)  # fmt: skip


@pytest.mark.parametrize(("words", "sent"), JSON, ids=name)
def test_json_reads_back_as_what_the_server_sent(
    runs: Runs, words: Words, sent: Callable[[], Any]
) -> None:
    piped = looked_at(runs.pipes(*words, "--json", *started()), as_json=True)
    assert json.loads(piped.out) == sent()


def test_json_of_a_session_and_of_an_error_reads_back_token_for_token(runs: Runs) -> None:
    info = json.loads(looked_at(runs.terminal("info", "--json", *started()), tty=True).out)
    opened = result("initialize")
    for key in ("serverInfo", "capabilities", "instructions", "protocolVersion"):
        assert info[key] == opened[key]
    for shown, tty in (
        (runs.pipes("request", "nope", "--json", *started()), False),
        (runs.terminal("request", "nope", "--json", *started()), True),
    ):
        error = looked_at(shown, tty=tty).out
        assert server.EXACT in squeezed(error)
        assert json.loads(error)["error"]["message"] == server.every("error")


@pytest.mark.parametrize(("words", "mode", "codes"), CUT, ids=name)
def test_what_is_quoted_in_part_is_seen_text_too(
    runs: Runs, words: Words, mode: Words, codes: tuple[int, ...]
) -> None:
    forms = ((), ("--json",)) if "--format" not in words else ((),)
    for form in forms:
        piped = looked_at(runs.pipes(*words, *form, *started(*mode)))
        assert piped.code in codes, piped.both[-500:]
    seen = looked_at(runs.terminal(*words, *started(*mode)), tty=True)
    assert seen.code in codes
    assert quotes(seen.out) or (words[0], *mode) in (("info", "mute"), ("list", "bare"))


@pytest.mark.parametrize(
    "words", [("read", "x:1"), ("read", "x:1", "--json"), ("lint", "--format", "junit")], ids=name
)
def test_a_terminal_that_speaks_no_utf8_gets_no_control_character(runs: Runs, words: Words) -> None:
    """Half a character of UTF-8 may be one of Latin-1's."""
    for encoding in ("ascii", "latin-1"):
        words = (*words, "--timeout", "20")
        shown = runs.terminal(*words, *started(), PYTHONIOENCODING=encoding)
        text = shown.out.replace(b"\r\n", b"").decode(encoding)
        assert not strays(text.encode(), tty=True)
        assert NONCE in text


def test_a_simple_terminal_gets_text_alone(runs: Runs) -> None:
    for environ in ({"TERM": "dumb"}, {"NO_COLOR": "1", "TERM": "dumb"}):
        shown = runs.terminal("read", "x:1", *started(), size=(5, 20), **environ)  # type: ignore[arg-type]
        assert not strays(shown.out, tty=False)
        assert missing(shown.out, each("read")) == []


def test_the_line_at_the_bottom_is_seen_text(runs: Runs) -> None:
    for size in ((24, 80), (24, 20)):
        shown = runs.terminal("call", "plain", "a=1", *started("slow"), size=size)
        looked_at(shown, tty=True)
        assert b"progress:" in shown.out


def test_questions_at_a_terminal_are_seen_text(runs: Runs) -> None:
    answers = b"y\n" + b"\n" * len(TEXTS) + b"y\nan answer\nn\n"
    words = ("call", "plain", "a=1", "--on-elicitation", "ask", "--on-sampling", "ask")
    shown = looked_at(runs.terminal(*words, *started("asks"), typed=answers), tty=True)
    assert shown.code == 0
    whole = all_of("question", "system", "pagemessage", "https://page.example/")
    whole += each("asker", "said", "field", "choice")
    assert missing(shown.out, whole) == []
    quoted = squeezed(looked_at(runs.pipes(*words[:3], *started("asks"))).both)
    assert "decline(--on-elicitation)" in quoted


# -- over HTTP --


@pytest.mark.parametrize("area", AREAS)
def test_what_http_holds_is_seen_text(runs: Runs, web: str, area: str) -> None:
    url = f"{web}/{area}"
    for words in (("info",), ("lint", "--json")):
        looked_at(runs.pipes(*words, url))
    shown = looked_at(runs.terminal("list", "tools", "--timeout", "30", url), tty=True)
    assert quotes(shown.out) or area in ("unauthorized",)
    assert len(shown.out) < 10_000 or area == "mcp"
    if area == "mcp":
        assert missing(shown.out, TOOLS) == []


@pytest.mark.parametrize("mode", PROTECTED)
def test_what_an_authorization_server_says_is_seen_text(runs: Runs, web: str, mode: str) -> None:
    words = ("login", "--no-browser", "--no-store", "--timeout", "30", f"{web}/protected/{mode}")
    plain = looked_at(runs.pipes(*words))
    seen = looked_at(runs.terminal(*words, typed=b"\n" * 9), tty=True)
    looked_at(runs.pipes(*words, "--json"))
    assert plain.code == seen.code != 0
    assert quotes(seen.out)
    looked_at(runs.pipes("logout", words[-1]))


def test_the_conformance_client_writes_seen_text(runs: Runs, web: str) -> None:
    for scenario in ("", "request-metadata"):
        shown = runs.pipes("conformance-client", f"{web}/mcp", MCP_CONFORMANCE_SCENARIO=scenario)
        looked_at(shown)
    shown = runs.terminal("conformance-client", web, MCP_CONFORMANCE_CONTEXT=DARK)
    assert looked_at(shown, tty=True).code == 2


# -- what was typed, and what files say --


def test_what_was_typed_is_seen_text_where_it_is_told_of(runs: Runs) -> None:
    for number, words in enumerate(TYPED):
        if number % 2:
            framed = words[0] in ("open", "demo", DARK)
            shown = runs.terminal(*words, size=(24, 20 + number))
            looked_at(shown, tty=True, framed=framed)
        elif words[0] in ("config", "export", "open", "conformance-client", DARK):
            looked_at(runs.pipes(*words))
        else:
            shown = looked_at(runs.pipes(words[0], "--json", *words[1:]))
            assert not shown.code or json.loads(shown.err.splitlines()[-1])["error"]["kind"]


AGREED: Final = ("title", "bidi", "lone surrogates", "many lines")
"""Names of servers whose every argument is hostile."""


def config(folder: Path) -> None:
    """A project that names servers, and settings, as an enemy would."""
    entry = {
        "command": "/" + NONCE,
        "args": [text.replace("\0", "") for text in TEXTS.values()],
        "env": {text.replace("\0", "").replace("=", ""): "x" for text in TEXTS.values()},
    }
    brief = {"command": "/" + NONCE, "args": [TEXTS["title"], TEXTS["bidi"]]}
    servers: dict[str, object] = dict.fromkeys(TEXTS.values(), brief)
    servers |= {TEXTS[label]: entry for label in AGREED}
    servers |= {f"url{text}": {"url": f"http://h/{text}"} for text in TEXTS.values()}
    servers |= {f"odd{text}": {text: text} for text in TEXTS.values()}
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
    (folder / "broken.json").write_bytes(
        b'{"mcpServers": {"\x1b]0;\x07\xc2\x9b": ' + NONCE.encode()
    )
    (folder / "settings").mkdir()
    said = "\n".join(f"k{n} = {json.dumps(text)}" for n, text in enumerate(TEXTS.values()))
    (folder / "settings" / "settings.toml").write_text(f'{said}\ntheme = "{NONCE}\\u202e"\n')


def test_what_config_files_say_is_seen_text(runs: Runs, tmp_path: Path) -> None:
    config(tmp_path)
    shown = looked_at(runs.pipes("config", "servers", cwd=tmp_path))
    assert squeezed(shown.out).count(NONCE) > 3 * len(TEXTS)
    looked_at(runs.terminal("config", "servers", cwd=tmp_path), tty=True)
    dark = str(tmp_path / DARK.replace("/", ""))
    for command in ("path", "check", "themes", "servers"):
        looked_at(runs.pipes("config", command, MCP_INSPECT_HOME=dark.replace("\udcff", "")))
        looked_at(runs.terminal("config", command, cwd=tmp_path), tty=True)
    for label in AGREED:
        words = ("info", "--config", ".mcp.json", "--server", TEXTS[label])
        agreed = looked_at(runs.terminal(*words, cwd=tmp_path, typed=b"n\n"), tty=True)
        assert agreed.code in (2, 3), agreed.out[-300:]
        assert looked_at(runs.pipes(*words, cwd=tmp_path)).code in (2, 3)
    assert missing(agreed.out, [*TEXTS.values()][:20]) == []
    for file in ("broken.json", ".mcp.json"):
        words = ("info", "--config", file, "--server", "x")
        looked_at(runs.pipes(*words, cwd=tmp_path))
        looked_at(runs.terminal(*words, cwd=tmp_path), tty=True)


# -- the look itself --


def test_every_command_is_met() -> None:
    """A new command has to be met here, too."""
    met = {words[0] for words, *_ in SHOWN} | {words[0] for words, *_ in CUT}
    met |= {"login", "logout", "conformance-client", "config"} | recorded.COMMANDS
    assert {*cli.commands} - {"tui", "demo"} == met
    assert {*cli.commands["config"].commands} == {"path", "check", "themes", "servers"}  # type: ignore[attr-defined]
    assert {"demo", "open"} <= {words[0] for words in TYPED}


@pytest.mark.parametrize(
    "words",
    [
        ("list", "tools", *started()),
        ("list", "tools", "--json", *started()),
        ("request", "nope", *started()),
        ("info", *started("dead")),
    ],
    ids=name,
)
def test_without_the_walls_the_same_look_is_red(runs: Runs, words: Words) -> None:
    for shown, tty in (
        (runs.pipes(*words, walls=False), False),
        (runs.terminal(*words, walls=False), True),
    ):
        found = strays(shown.out, tty=tty) + strays(shown.err, tty=tty)
        assert len(found) > 20, shown.both[-500:]


def test_a_look_finds_each_of_the_texts_that_a_terminal_acts_on() -> None:
    calm = ("markup", "backslash", "bracket", "variables", "Markdown", "template", "not markup")
    shown = Shown(0, "\n".join(TEXTS.values()).encode("utf-8", "surrogatepass"))
    with pytest.raises(AssertionError):
        looked_at(shown)
    assert not strays("plain ☂ text ⚠️ 1️⃣\n\t␛⟨9B⟩".encode(), tty=False)
    assert strays(b"\x1b[1mbold\x1b[0m", tty=False)
    assert not strays(b"\x1b[1mbold\x1b[0m", tty=True)
    assert strays(b"\x1b[2J", tty=True)
    red = {
        label
        for label, text in TEXTS.items()
        if strays(text.encode("utf-8", "surrogatepass"), tty=True)
    }
    assert len(red) > 40
    assert not {label for label in red if label.startswith(calm) and label != "Markdown"}
