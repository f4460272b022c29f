"""Recordings that are hostile in all that they hold, linted, compared and exported: seen text in
every form, each form what it says it is, and nothing in it ever code."""

import ast
import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from inspector.export.formats import NAMES
from inspector.journal.loading import load_recording
from tests.hostile.commands_look import looked_at, quotes, strays
from tests.hostile.commands_recording import every, record
from tests.hostile.commands_runs import Runs, running

COMMANDS: Final = {"lint", "diff", "export", "open"}
JUDGED: Final = (
    ("lint", "a.jsonl"),
    ("lint", "a.jsonl", "--json", "--portability"),
    ("lint", "a.jsonl", "--format", "junit"),
    ("lint", "a.jsonl", "--format", "sarif"),
    ("lint", "a.jsonl", "--list-rules"),
    ("diff", "a.jsonl", "b.jsonl"),
    ("diff", "a.jsonl", "b.jsonl", "--json"),
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    home = tmp_path_factory.mktemp("home")
    record(home / "a.jsonl")
    record(home / "b.jsonl", other="+")
    with running(home) as found:
        yield found


@pytest.mark.parametrize("words", JUDGED, ids=" ".join)
def test_opinions_about_a_hostile_recording_are_seen_text(
    runs: Runs, words: tuple[str, ...]
) -> None:
    piped = looked_at(runs.pipes(*words))
    seen = looked_at(runs.terminal(*words), tty=True)
    assert piped.code == seen.code
    assert "--list-rules" in words or (quotes(piped.out) and quotes(seen.out))
    if "--json" in words or "sarif" in words:
        assert json.loads(piped.out)
    if "junit" in words:
        assert ElementTree.fromstring(piped.out).tag == "testsuites"


@pytest.mark.parametrize("form", NAMES)
def test_an_export_is_seen_text_and_what_it_says_it_is(
    runs: Runs, form: str, tmp_path: Path
) -> None:
    words = ("export", "a.jsonl", "--format", form)
    piped = looked_at(runs.pipes(*words))
    looked_at(runs.terminal(*words), tty=True)
    assert piped.code == 0
    assert quotes(piped.out)
    CHECKS[form](piped.out, runs.home, tmp_path)


def _is_the_same_recording(exported: bytes, home: Path, folder: Path) -> None:
    (folder / "again.jsonl").write_bytes(exported)
    one, other = load_recording(home / "a.jsonl"), load_recording(folder / "again.jsonl")
    assert len(one) == len(other) > 1000
    for number in range(1, len(one) + 1):
        assert one.body(number) == other.body(number)
    assert other.dropped_bytes == 0


def _is_json(exported: bytes, _: Path, __: Path) -> None:
    assert json.loads(exported)


class _Tags(HTMLParser):
    """Which elements a page has, and which attributes they carry."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] += 1
        self.seen.update(f"{tag} {key}" for key, _ in attrs)
        for key, value in attrs:
            assert key != "href" or (value or "")[:1] == "#"

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


TAGS: Final = (
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "ul", "li", "code", "details"),
    *("summary", "span", "div", "p", "pre", "a", "nav", "input", "label", "button", "main"),
    "script",
)
ATTRIBUTES: Final = (
    *("class", "id", "lang", "charset", "http-equiv", "content", "name", "open", "href", "type"),
    *("placeholder", "aria-label", "role", "tabindex"),
)


def _is_a_page_of_ours_alone(exported: bytes, _: Path, __: Path) -> None:
    tags = _Tags()
    tags.feed(exported.decode())
    assert {word for word in tags.seen if " " not in word} <= {*TAGS}
    assert {word.split(" ")[1] for word in tags.seen if " " in word} <= {*ATTRIBUTES}
    assert (tags.seen["script"], tags.seen["style"], tags.seen["h1"]) == (1, 1, 1)


def _is_a_report_of_ours_alone(exported: bytes, _: Path, __: Path) -> None:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(exported.decode())
    inner = [one for token in tokens for one in token.children or ()]
    kinds = {token.type for token in (*tokens, *inner)}
    assert not kinds & {"link_open", "image", "code_block", "blockquote_open", "hr", "s_open"}
    html = {one.content.strip() for one in inner if one.type == "html_inline"}
    assert html <= {"<code>", "</code>"}
    for block in (token.content for token in tokens if token.type == "html_block"):
        bare = block.replace("<code>", "").replace("</code>", "").strip()
        assert bare == "</details>" or (
            bare.startswith("<details><summary>")
            and bare.endswith("</summary>")
            and bare.count("<") == 3
        )
    heads = [tokens[at + 1].content for at, one in enumerate(tokens) if one.type == "heading_open"]
    assert heads[0] == "MCP session"
    assert len(heads) == 4
    rows = [token for token in tokens if token.type == "tr_open"]
    assert len([token for token in tokens if token.type == "td_open"]) == 6 * (len(rows) - 1)


def _is_a_diagram(exported: bytes, _: Path, __: Path) -> None:
    head, *lines = exported.decode().splitlines()
    assert head == "sequenceDiagram"
    for line in lines:
        assert line.startswith(("    participant ", "    Note over C,S: ", "    C-", "    S-"))
        label = re.sub(r"#\d+;", "", line.partition(": ")[2])
        assert not {*label} & {*';<>"%{}'}, line


def _is_a_script_that_runs_nothing(exported: bytes, _: Path, folder: Path) -> None:
    (folder / "bin").mkdir()
    for program in ("curl", "server", "touch"):
        (folder / "bin" / program).write_text(
            "#!/bin/sh\n[ $(basename $0) = touch ] && >ran\ncat >/dev/null\n"
        )
        (folder / "bin" / program).chmod(0o755)
    (folder / "again.sh").write_bytes(exported)
    place = {"PATH": f"{folder / 'bin'}:/usr/bin:/bin", "WAIT": "0"}
    done = subprocess.run(
        ["bash", "-n", "again.sh"], cwd=folder, env=place, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert not (folder / "ran").exists()


def _is_python_of_ours_alone(exported: bytes, _: Path, __: Path) -> None:
    """What was recorded stands in constants only."""
    tree = ast.parse(exported)
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not {"ran", "alert"} & named
    assert not {"open", "eval", "exec", "compile", "__import__"} & called
    tests = [
        one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name[:5] == "test_"
    ]
    assert len(tests) > len(every())
    for test in tests:
        kinds = {type(statement) for statement in test.body}
        assert kinds <= {ast.Expr, ast.Assign}, test.name


CHECKS: Final = {
    "jsonl": _is_the_same_recording,
    "json": _is_json,
    "har": _is_json,
    "html": _is_a_page_of_ours_alone,
    "markdown": _is_a_report_of_ours_alone,
    "mermaid": _is_a_diagram,
    "curl": _is_a_script_that_runs_nothing,
    "pytest": _is_python_of_ours_alone,
}


def test_a_recording_that_cannot_be_opened_is_told_of_in_seen_text(runs: Runs) -> None:
    (runs.home / "odd").write_bytes(b"\x1b]0;\x07\xc2\x9b\n" * 100)
    (runs.home / "newer").write_text('{"format":999,"program":"mcp-inspect","created":"\x9b"}\n')
    for file in ("odd", "newer", "none"):
        for words in (("lint", file), ("export", file), ("diff", file, file), ("open", file)):
            assert looked_at(runs.pipes(*words)).code in (2, 3)
            shown = runs.terminal(*words)
            looked_at(shown, tty=True, framed=words[0] == "open")
            assert shown.code in (2, 3)


@pytest.mark.parametrize(
    "words",
    [
        ("export", "a.jsonl", "--format", "markdown"),
        ("export", "a.jsonl", "--format", "json"),
        ("lint", "a.jsonl"),
        ("lint", "a.jsonl", "--format", "junit"),
        ("diff", "a.jsonl", "b.jsonl"),
    ],
    ids=" ".join,
)
def test_without_the_walls_the_same_look_is_red(runs: Runs, words: tuple[str, ...]) -> None:
    assert len(strays(runs.pipes(*words, walls=False).out, tty=False)) > 20
