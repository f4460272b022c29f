"""Consent by copy and paste, for a browser on another machine."""

from urllib.parse import urlsplit

import pytest

from inspector.auth.paste import PasteConsent
from inspector.errors import ConnectionFailed

PAGE = "https://auth.example.com/authorize"


class Pasting:
    """A user who pastes these lines, one after the other."""

    def __init__(self, *lines: str, redirect_uri: str = "") -> None:
        self.lines = list(lines)
        self.said: list[str] = []
        self.announced: list[str] = []
        self.asked: list[str] = []
        self.consent = PasteConsent(
            self._read,
            announce=self.announced.append,
            say=self.said.append,
            redirect_uri=redirect_uri,
        )

    async def _read(self, prompt: str) -> str:
        assert prompt
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def take(self, redirect: str) -> bool:
        self.asked.append(redirect)
        return redirect.endswith("right")


async def test_the_right_address_ends_it_after_wrong_and_empty_ones() -> None:
    user = Pasting("", "c0de", "http://127.0.0.1/wrong", "http://127.0.0.1/right", "more")
    await user.consent.fetch(PAGE, user.take)
    assert user.announced == [PAGE]
    assert user.asked == ["c0de", "http://127.0.0.1/wrong", "http://127.0.0.1/right"]
    assert len(user.said) == 2
    assert not any("c0de" in text for text in user.said)
    assert user.lines == ["more"]
    await user.consent.close()


async def test_the_end_of_the_input_gives_up() -> None:
    user = Pasting("wrong")
    with pytest.raises(ConnectionFailed, match="nothing was pasted") as caught:
        await user.consent.fetch(PAGE, user.take)
    assert caught.value.kind == "auth"


async def test_the_redirect_uri_is_a_new_one_on_the_browsers_machine() -> None:
    first, second = await Pasting().consent.open(), await Pasting().consent.open()
    assert first != second
    parts = urlsplit(first)
    assert (parts.scheme, parts.hostname) == ("http", "127.0.0.1")
    assert 49152 <= (parts.port or 0) < 65536


async def test_a_registered_redirect_uri_is_used_and_the_users_own_before_it() -> None:
    registered = ("http://127.0.0.1:5000/cb",)
    assert await Pasting().consent.open(registered) == registered[0]
    mine = Pasting(redirect_uri="https://example.com/cb")
    assert await mine.consent.open(registered) == "https://example.com/cb"
