"""Every server, over every transport that it offers, with every `--protocol`: the three commands
that people start with, through the command line as it is shipped."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Finished, Runner
from tests.interop import peers
from tests.interop.conftest import VERDICT
from tests.interop.peers import CALL, Kind, Peer
from tests.peers.evidence import frames

pytestmark = pytest.mark.peer
PROTOCOLS = ("auto", "handshake", "modern", *peers.HANDSHAKE, peers.MODERN)
CELLS = [
    pytest.param(peer, kind, protocol, id=f"{peer.name}-{kind}-{protocol}")
    for peer in peers.PEERS
    for kind in peer.kinds
    for protocol in PROTOCOLS
]
ANSWER = {True: "interop", False: "5"}


class Meeting:
    """Commands on one server; how long each took goes into the last cell of `row`."""

    def __init__(
        self,
        run: Runner,
        server: Callable[[], AbstractContextManager[tuple[str, ...]]],
        row: list[str],
    ) -> None:
        self._run = run
        self._server = server
        self._row = row

    def __call__(self, *words: str) -> Finished:
        with self._server() as target:
            begun = time.monotonic()
            done = self._run(*words, "--json", "--protocol", self._row[2], *target)
            self._row[-1] += f"{time.monotonic() - begun:5.1f}"
        return done


@pytest.fixture
def meeting(
    peer: Peer, kind: Kind, protocol: str, run: Runner, record_property: Callable[..., None]
) -> Iterator[Meeting]:
    """The server runs all the while, or is started for each command where it does not live on."""

    @contextmanager
    def listening() -> Iterator[tuple[str, ...]]:
        with peers.url(peer, kind) as url:
            yield (url,)

    def server() -> AbstractContextManager[tuple[str, ...]]:
        if kind == "stdio":
            return nullcontext(("--", *peers.command(peer, kind)))
        return listening()

    said = f"speaks {peer.revision(protocol, kind)}" if peer.accepts(protocol, kind) else "refuses"
    row = [peer.name, kind, protocol, said, ""]
    record_property(VERDICT, row)
    with nullcontext(None) if kind in peer.once else server() as running:
        started = server if running is None else (lambda: nullcontext(running))
        yield Meeting(run, started, row)


@pytest.mark.parametrize(("peer", "kind", "protocol"), CELLS)
def test_info_list_and_call_work_or_say_what_the_server_speaks(
    peer: Peer, kind: Kind, protocol: str, meeting: Meeting, tmp_path: Path
) -> None:
    recording = tmp_path / "info.jsonl"
    silent = kind in peer.silent and not peer.accepts(protocol, kind)
    patience = ("--timeout", "3") if silent else ()
    info = meeting("info", *patience, "--record", str(recording))
    sent = [json.loads(frame) for frame in frames(recording, "out")]
    assert [one["method"] for one in sent][:1] == [first_request(protocol)]
    if not peer.accepts(protocol, kind):
        check_refusal(info, peer, kind, protocol)
        return
    revision = peer.revision(protocol, kind)
    check_info(info, peer, kind, revision)
    modern = revision == peers.MODERN
    if not (modern and kind == "stdio"):  # a process that is slow to start is asked for both
        assert ("initialize" in [one["method"] for one in sent]) != modern

    listed = meeting("list", "all")
    assert listed.code == (1 if peer.lacks_templates else 0), listed
    assert ("resource templates: the server answered -32601" in listed.stderr) == (
        peer.lacks_templates
    )
    check_lists(listed.json, peer)

    called = meeting("call", *CALL[peer.is_everything])
    assert called.code == 0, called
    (content, *_) = as_list(called.json["content"])
    assert content["type"] == "text"
    assert ANSWER[peer.is_everything] in content["text"]
    assert ("resultType" in called.json) <= modern


def first_request(protocol: str) -> str:
    """What goes out first: only an explicit choice of the handshake era spares the question."""
    asked = protocol in ("auto", "modern", peers.MODERN)
    return "server/discover" if asked else "initialize"


def check_info(info: Finished, peer: Peer, kind: Kind, revision: str) -> None:
    assert info.code == 0, info
    assert info.json["protocolVersion"] == revision
    assert info.json["transport"] == kind
    server = info.json["serverInfo"]
    assert isinstance(server, dict)
    assert ("everything" in server["name"]) == peer.is_everything
    declared = info.json["capabilities"]
    assert isinstance(declared, dict)
    assert {"tools", "resources", "prompts"} <= set(declared)
    if revision == peers.MODERN:
        named = info.json["supportedVersions"]
        assert isinstance(named, list)
        assert peers.MODERN in named


def check_lists(found: dict[str, object], peer: Peer) -> None:
    names = {key: [item["name"] for item in as_list(items)] for key, items in found.items()}
    assert list(names) == ["tools", "resources", "resourceTemplates", "prompts"]
    if peer.is_everything:
        assert "echo" in names["tools"]
        assert names["prompts"]
        assert names["resources"]
    else:
        assert sorted(names["tools"]) == ["add", "shout"]
        assert [item["uri"] for item in as_list(found["resources"])] == ["memo://greeting"]
        assert names["prompts"] == ["review"]


def check_refusal(info: Finished, peer: Peer, kind: Kind, protocol: str) -> None:
    """The error names the revision that was wanted, the one that the server offers, and how to get
    that. One that says nothing to what it does not know may only be guessed at."""
    error = json.loads(info.stderr.splitlines()[-1])["error"]
    modern = protocol not in peers.HANDSHAKE
    if modern and kind in peer.silent:
        assert (info.code, info.stdout, error["kind"]) == (5, "", "timeout"), info
        assert "server/discover" in error["message"]
        assert "handshake era" in error["hint"]
    else:
        offered = peer.newest if modern else peer.answer_to(protocol)
        assert (info.code, info.stdout) == (3, ""), info
        assert error["kind"] == ("era" if modern else "version")
        assert (peers.MODERN if modern else protocol) in error["message"]
        assert offered in error["message"]
        assert f"--protocol {offered}" in error["hint"]
    assert "--protocol auto" in error["hint"]


def as_list(value: object) -> list[dict[str, Any]]:
    assert isinstance(value, list), value
    return value
