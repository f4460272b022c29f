"""Nothing is found on sessions of real servers of former years that is not a true violation.

Those that need no installing are judged in `tests/lint/test_honest.py`. Each rule that may be named
stands here with the reason why it is right to name it.
"""

import asyncio
from collections import Counter

import pytest

from inspector.config.targets import Target
from inspector.lint.engine import lint
from tests.interop import peers
from tests.interop.peers import HANDSHAKE, MODERN, PEERS, Kind, Peer
from tests.lint.honest import used

pytestmark = pytest.mark.peer

# The first SDKs have the code 0 or -32603 for a missing resource, later ones that of 2026-07-28.
EVERY = {"res/not-found-code", "tool/unknown-as-result", "stdio/no-exit-on-eof"}
# None leaves out what a former revision did not have yet.
LATER = "schema/future-field"
TRUE: dict[str, set[str]] = {
    "mcp-1.12.4": {LATER},
    "mcp-1.25.0": {LATER},
    "mcp-1.30.0": {LATER},
    "ev-2025.5": {LATER},
    # Resource links are of 2025-06-18, and come in former revisions too.
    "ev-2025.8": {LATER, "content/unknown-type"},
    # Our own script describes no tools.
    "ts-2.4": {LATER, "tool/no-description"},
}
MET = [
    (peer, kind, protocol)
    for peer in PEERS
    if peer.needs
    for kind in peer.kinds
    for protocol in dict.fromkeys((HANDSHAKE[0], peer.newest, MODERN))
    if peer.accepts(protocol, kind)
]


@pytest.mark.parametrize(
    ("peer", "kind", "protocol"), MET, ids=[f"{peer.name}-{kind}-{p}" for peer, kind, p in MET]
)
def test_nothing_is_found_that_is_no_violation(peer: Peer, kind: Kind, protocol: str) -> None:
    if kind == "stdio":
        journal = asyncio.run(used(Target(command=peers.command(peer, kind)), protocol))
    else:
        with peers.url(peer, kind) as url:
            journal = asyncio.run(used(Target(url=url), protocol))
    assert len(journal) > 20
    found = lint(journal)
    wrong = [each for each in found if each.rule not in EVERY | TRUE.get(peer.name, set())]
    assert wrong == [], Counter(each.rule for each in wrong)
    assert {str(each.revision) for each in found} <= {protocol}
