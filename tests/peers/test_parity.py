"""What `--json` prints is what the server sent, token for token, on every transport it offers.

The judge is a raw client of some dozen lines that asks the same server the same things.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from inspector.config.targets import Target
from tests.cli.running import Finished, Runner
from tests.peers.evidence import together
from tests.peers.exact import Object, exact, exact_object, items_of, result_of
from tests.peers.raw_client import RawClient, connected
from tests.servers import real
from tests.servers.nursery import born

pytestmark = pytest.mark.peer
NPM = "@modelcontextprotocol"
REVISION = "2025-11-25"
HOW_MANY = {"stdio": 1, "http": 9, "sse": 2}
"""Questions to a Python server, which starts slowly; over stdio it does so for each of them."""
LISTS = {
    "tools": ("tools", "tools/list"),
    "resources": ("resources", "resources/list"),
    "resourceTemplates": ("resources", "resources/templates/list"),
    "prompts": ("prompts", "prompts/list"),
}


@dataclass(frozen=True, slots=True)
class Question:
    """One command, and the request that it comes down to."""

    words: tuple[str, ...]
    method: str
    params: dict[str, object]
    code: int = 0


CITY: dict[str, object] = {
    "ref": {"type": "ref/prompt", "name": "completable-prompt"},
    "argument": {"name": "department", "value": "E"},
}
NO_SUCH = Question(("request", "no/such", '{"x":1.10}'), "no/such", {"x": 1.1}, code=1)
EVERYTHING = (
    Question(
        ("call", "get-sum", "a=2", "b:=3"),
        "tools/call",
        {"name": "get-sum", "arguments": {"a": 2, "b": 3}},
    ),
    Question(
        ("call", "get-structured-content", "location=Chicago"),
        "tools/call",
        {"name": "get-structured-content", "arguments": {"location": "Chicago"}},
    ),
    Question(
        ("read", "demo://resource/static/document/architecture.md"),
        "resources/read",
        {"uri": "demo://resource/static/document/architecture.md"},
    ),
    Question(
        ("prompt", "args-prompt", "city=Paris"),
        "prompts/get",
        {"name": "args-prompt", "arguments": {"city": "Paris"}},
    ),
    Question(
        (
            "request",
            "completion/complete",
            '{"ref":{"type":"ref/prompt","name":"completable-prompt"},'
            '"argument":{"name":"department","value":"E"}}',
        ),
        "completion/complete",
        CITY,
    ),
    Question(("read", "demo://no/such"), "resources/read", {"uri": "demo://no/such"}, code=1),
)
PYTHON = (
    Question(
        ("call", "add", "--args", '{"a":2,"b":3}'),
        "tools/call",
        {"name": "add", "arguments": {"a": 2, "b": 3}},
    ),
    Question(
        ("call", "add", 'a:="two"', "b=3"),
        "tools/call",
        {"name": "add", "arguments": {"a": "two", "b": 3}},
        code=1,
    ),
    Question(("read", "memo://greeting"), "resources/read", {"uri": "memo://greeting"}),
    Question(
        ("prompt", "review", "code=x = 1"),
        "prompts/get",
        {"name": "review", "arguments": {"code": "x = 1"}},
    ),
    NO_SUCH,
)
DEMO = (
    Question(
        ("call", "forecast", "city=Oslo", "days=2"),
        "tools/call",
        {"name": "forecast", "arguments": {"city": "Oslo", "days": 2}},
    ),
    Question(("call", "mischief"), "tools/call", {"name": "mischief", "arguments": {}}),
    Question(("call", "refuse"), "tools/call", {"name": "refuse", "arguments": {}}, code=1),
    Question(("read", "demo://settings.json"), "resources/read", {"uri": "demo://settings.json"}),
    Question(("prompt", "introduce"), "prompts/get", {"name": "introduce"}),
    NO_SUCH,
)


@dataclass(frozen=True, slots=True)
class Peer:
    """A running server (HTTP) or how to start one (stdio), and what to ask it."""

    kind: str
    where: str | tuple[str, ...]
    questions: tuple[Question, ...]
    env: dict[str, str] = field(default_factory=dict)

    @property
    def target(self) -> list[str]:
        if isinstance(self.where, str):
            return [self.where]
        return ["--", *self.where]


def npm_command(package: str, *words: str) -> tuple[str, ...]:
    return ("node", str(real.node_package(f"{NPM}/{package}") / "dist" / "index.js"), *words)


def files(folder: Path) -> Peer:
    folder = folder / "files"
    folder.mkdir()
    (folder / "a.txt").write_text("one\ntwo\n")
    path = str(folder / "a.txt")
    questions = (
        Question(
            ("call", "read_text_file", f"path={path}", "head=1"),
            "tools/call",
            {"name": "read_text_file", "arguments": {"path": path, "head": 1}},
        ),
        Question(
            ("call", "list_directory", "--args", f'{{"path":"{folder}"}}'),
            "tools/call",
            {"name": "list_directory", "arguments": {"path": str(folder)}},
        ),
        Question(
            ("call", "read_text_file", "path=/etc/passwd"),
            "tools/call",
            {"name": "read_text_file", "arguments": {"path": "/etc/passwd"}},
            code=1,
        ),
    )
    return Peer("stdio", npm_command("server-filesystem", str(folder)), questions)


def memory(folder: Path) -> Peer:
    graph = folder / "graph.jsonl"
    graph.write_text(
        '{"type":"entity","name":"Ada","entityType":"person","observations":["counts \u2603"]}\n'
    )
    command = ("env", f"MEMORY_FILE_PATH={graph}", *npm_command("server-memory"))
    questions = (
        Question(("call", "read_graph"), "tools/call", {"name": "read_graph", "arguments": {}}),
        Question(
            ("call", "open_nodes", 'names:=["Ada","Bob"]'),
            "tools/call",
            {"name": "open_nodes", "arguments": {"names": ["Ada", "Bob"]}},
        ),
        Question(
            ("call", "search_nodes", "query=counts"),
            "tools/call",
            {"name": "search_nodes", "arguments": {"query": "counts"}},
        ),
    )
    return Peer("stdio", command, questions)


@contextlib.contextmanager
def demo(kind: str) -> Iterator[Peer]:
    command = born("servers", "-m", "inspector.demo")
    if kind == "stdio":
        yield Peer(kind, command, DEMO[: HOW_MANY[kind]])
        return
    port = real.free_port()
    with real.running(Target(command=(*command, f"--{kind}", str(port))), port) as origin:
        yield Peer(kind, origin + {"http": "/mcp", "sse": "/sse"}[kind], DEMO[: HOW_MANY[kind]])


@contextlib.contextmanager
def started(name: str, kind: str, folder: Path) -> Iterator[Peer]:
    """The peer, running where it is reached by URL."""
    if name == "demo":
        with demo(kind) as peer:
            yield peer
    elif name == "filesystem":
        yield files(folder)
    elif name == "memory":
        yield memory(folder)
    elif kind == "stdio":
        target = real.everything() if name == "everything" else real.python_server(name)
        asked = EVERYTHING[:4] if name == "everything" else PYTHON[: HOW_MANY[kind]]
        yield Peer(kind, target.command, asked)
    elif name == "everything":
        with real.everything_url(kind) as url:
            yield Peer(kind, url, EVERYTHING)
    else:
        with real.python_url(name, kind) as url:
            yield Peer(kind, url, PYTHON[: HOW_MANY[kind]])


@dataclass(frozen=True, slots=True)
class Seen:
    """One peer, what the raw client got, and what the commands printed."""

    peer: Peer
    opened: Object
    lists: Object
    answers: tuple[bytes, ...]
    runs: dict[str, Finished]


def ask_raw(peer: Peer) -> tuple[Object, Object, tuple[bytes, ...]]:
    """Everything by the raw client, in one session."""
    with connected(peer.kind, peer.where, REVISION) as client:
        answers = tuple(client.ask(one.method, one.params) for one in peer.questions)
        return client.opened, all_lists(client), answers


def all_lists(client: RawClient) -> Object:
    capabilities = client.opened["capabilities"]
    assert isinstance(capabilities, Object)
    found: list[tuple[str, object]] = []
    for key, (capability, method) in LISTS.items():
        offered = capabilities.has(capability)
        found.append((key, items_of(client.pages(method), key) if offered else []))
    return Object(tuple(found))


PEERS = [
    *(
        pytest.param(("everything", kind), marks=pytest.mark.node)
        for kind in ("stdio", "http", "sse")
    ),
    pytest.param(("filesystem", "stdio"), marks=pytest.mark.node),
    pytest.param(("memory", "stdio"), marks=pytest.mark.node),
    *((name, kind) for name in ("mcp", "fastmcp", "demo") for kind in ("stdio", "http", "sse")),
]


@pytest.fixture(scope="module", params=PEERS, ids="-".join)
def seen(
    request: pytest.FixtureRequest, run: Runner, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Seen]:
    name, kind = request.param
    with started(name, kind, tmp_path_factory.mktemp(name)) as peer:
        commands: dict[str, list[str]] = {
            "info": ["info", "--json", *peer.target],
            "list": ["list", "all", "--json", *peer.target],
        }
        if peer.kind == "http" or name in ("filesystem", "memory"):
            commands["human"] = ["list", "all", *peer.target]
        for number, one in enumerate(peer.questions):
            commands[str(number)] = [one.words[0], "--json", *one.words[1:], *peer.target]
        opened, lists, answers = ask_raw(peer)
        yield Seen(peer, opened, lists, answers, together(run, commands))


def test_info_has_the_servers_own_words(seen: Seen) -> None:
    done = seen.runs["info"]
    assert (done.code, done.stderr) == (0, "")
    shown = exact_object(done.stdout)
    for key in ("protocolVersion", "serverInfo", "capabilities"):
        assert shown[key] == seen.opened[key]
    said = seen.opened.get("instructions")
    assert shown["instructions"] == said
    assert shown["transport"] == seen.peer.kind


def test_all_lists_are_the_servers_lists_of_all_pages(seen: Seen) -> None:
    done = seen.runs["list"]
    assert done.code == 0
    assert exact(done.stdout) == seen.lists


def test_every_answer_is_the_servers_answer(seen: Seen) -> None:
    for number, (question, raw) in enumerate(zip(seen.peer.questions, seen.answers, strict=True)):
        done = seen.runs[str(number)]
        assert done.code == question.code, (question, done)
        sent = exact_object(raw)
        if sent.has("error"):
            assert exact(done.stdout) == Object((("error", sent["error"]),)), question
        else:
            assert exact(done.stdout) == result_of(raw), question


def test_no_item_is_missing_from_what_people_read(seen: Seen) -> None:
    done = seen.runs.get("human")
    if done is None:
        return  # asked once for each server
    assert done.code == 0
    for key, _ in LISTS.items():
        items = seen.lists[key]
        assert isinstance(items, list)
        for item in items:
            assert isinstance(item, Object)
            named = item["uri"] if key == "resources" else item["name"]
            assert str(named) in done.stdout


def test_json_output_has_no_character_that_moves_a_terminal(seen: Seen) -> None:
    for done in seen.runs.values():
        assert done.stdout
        assert not any(ord(c) < 0x20 and c != "\n" for c in done.stdout)
        assert not any(0x7F <= ord(c) < 0xA0 or "\u202a" <= c <= "\u202e" for c in done.stdout)
