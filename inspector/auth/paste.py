"""Consent where the browser runs on another machine than this program: the user opens the URL there
and pastes the address at which the browser ended.

Nothing listens. The redirect goes to the browser's own machine, where nobody is expected to answer;
PKCE makes the code in it useless to whoever does. What a redirect means is `authorize`'s business.
"""

import secrets
from collections.abc import Awaitable, Callable
from typing import Final

from inspector.errors import ConnectionFailed

ASK: Final = "Paste the whole address that the browser ended at: "
_FIRST_PORT: Final = 49152
_PORTS: Final = 65536 - _FIRST_PORT


class PasteConsent:
    """Consent by copy and paste, as `person.Consent` has it.

    `read_line` shows a prompt and gives a line of the user; it raises EOFError at the end.
    `announce` is given the URL, `say` a remark.
    """

    def __init__(
        self,
        read_line: Callable[[str], Awaitable[str]],
        *,
        announce: Callable[[str], None],
        say: Callable[[str], None],
        redirect_uri: str = "",
    ) -> None:
        self._read_line = read_line
        self._announce = announce
        self._say = say
        self._redirect_uri = redirect_uri

    async def open(self, wanted: tuple[str, ...] = ()) -> str:
        """A redirect URI: the user's choice, else one that is registered, else one of our own."""
        port = _FIRST_PORT + secrets.randbelow(_PORTS)
        own = f"http://127.0.0.1:{port}/callback/{secrets.token_urlsafe(24)}"
        return self._redirect_uri or next(iter(wanted), own)

    async def fetch(self, url: str, take: Callable[[str], bool]) -> None:
        """Shows `url` and asks until `take` recognizes what is pasted.

        Raises ConnectionFailed where there is nobody to paste.
        """
        self._announce(url)
        while True:
            try:
                line = await self._read_line(ASK)
            except EOFError:
                raise ConnectionFailed(
                    "nothing was pasted",
                    hint="open the address, agree, and paste the address that follows",
                    kind="auth",
                    fault="you",
                ) from None
            if line and take(line):
                return
            if line:
                self._say(
                    "that is not the answer to this request: it has to be the whole address from"
                    " http to its end, of the page that followed just now"
                )

    async def close(self) -> None:
        """There is nothing to let go of."""
