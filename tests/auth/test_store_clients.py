"""Clients that nobody came back with leave the store, and no others."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.auth.store import FileStore, LateStore, MemoryStore, Store
from tests.auth.grants import ISSUER, a_client

KINDS: dict[str, Callable[[Path], Store]] = {
    "memory": lambda _: MemoryStore(),
    "files": FileStore,
    "late": LateStore,
}


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_very_client_is_dropped(kind: str, tmp_path: Path) -> None:
    store = KINDS[kind](tmp_path)
    client = a_client()
    store.keep_client(client)
    assert store.drop_client(replace(client, client_id="older")) is False
    assert store.client(ISSUER) == client
    assert store.drop_client(client) is True
    assert store.client(ISSUER) is None
    assert store.drop_client(client) is False
