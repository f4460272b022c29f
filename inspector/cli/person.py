"""The person at the terminal, asked during `login`: to go to a page, to choose, to agree.

Plain lines on stderr, answers from the keyboard; whatever a server named passes `render.safe`.
Where there is no terminal, pages are still opened, since the user asked for that by the command,
and every other question is answered by what the command line can say instead.
"""

import re
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from inspector.auth.callback import LoopbackConsent
from inspector.auth.paste import PasteConsent
from inspector.auth.person import Consent
from inspector.auth.registration import Client, ClientOrigin
from inspector.auth.scopes import StepUp
from inspector.auth.secret import Secret
from inspector.cli.asking import Keyboard
from inspector.errors import ConnectionFailed, UsageError
from inspector.render.safe import visible
from inspector.transport.browser import check_page, open_page

_ERASED: Final = re.compile("(^|[^\x7f])\x7f")
NOBODY: Final = "there is no terminal to ask at"


class TerminalPerson:
    """Asks at the terminal. `say` writes a line for the user; `redirect_uri` is the user's choice.

    `paste`: the browser is on another machine; `browser`: it may be opened from here.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        *,
        paste: bool = False,
        browser: bool = True,
        redirect_uri: str = "",
    ) -> None:
        self._say = say
        self._paste = paste
        self._browser = browser
        self._redirect_uri = redirect_uri
        self._keyboard = Keyboard()
        self._there = sys.stdin.isatty() and sys.stderr.isatty()

    def consent(self) -> Consent:
        """A listener on this machine, or the keyboard."""
        if self._paste:
            return PasteConsent(
                self._pasted,
                announce=self._announce,
                say=self._say,
                redirect_uri=self._redirect_uri,
            )
        return LoopbackConsent(
            self._open if self._browser else None,
            announce=self._announce,
            say=self._say,
            redirect_uri=self._redirect_uri,
        )

    async def choose_server(self, issuers: tuple[str, ...]) -> str | None:
        """One of them, by number."""
        self._say("Several authorization servers are named for this server:")
        for number, issuer in enumerate(issuers, 1):
            self._say(f"  {number}  {issuer}")
        if not self._there:
            raise self._nobody("there are several authorization servers", "--issuer URL")
        while text := await self._line(f"Which one? [1-{len(issuers)}, empty gives up]: "):
            if text.isascii() and text.isdigit() and 1 <= int(text) <= len(issuers):
                return issuers[int(text) - 1]
            if text in issuers:
                return text
        return None

    async def allow_issuer(self, expected: str, found: str) -> bool:
        """Yes or no."""
        self._say(
            "The metadata of the authorization server names another issuer than it should; they"
            " differ in a slash at the end:"
        )
        self._say(f"  expected  {expected}")
        self._say(f"  found     {found}")
        return self._there and _yes(await self._line("Go on with it, this once? [y/N]: "))

    async def name_client(self, issuer: str, reason: str) -> Client | None:
        """A client id, and a secret that is not shown."""
        self._say(f"{issuer} has to know us as a client: {reason}.")
        if not self._there:
            raise self._nobody("a client id is needed", "--client-id ID")
        client_id = await self._line("Client id that you registered there [empty gives up]: ")
        if not client_id:
            return None
        with _terminal_without(termios.ECHO):
            secret = await self._line("Its secret, which is not shown [empty for none]: ")
        self._say("")
        held = Secret(secret) if secret else None
        return Client(client_id, ClientOrigin.PREREGISTERED, secret=held, issuer=issuer)

    async def confirm_scopes(self, step_up: StepUp) -> bool:
        """Yes or no."""
        self._say(f"The server wants more scopes: {' '.join(step_up.added)}")
        return self._there and _yes(await self._line("Ask for them? [y/N]: "))

    def _announce(self, url: str) -> None:
        how = " (Ctrl+C gives up)" if self._there else ""
        self._say(f"Open this address in a browser and agree there{how}:")
        self._say(f"  {url}")
        with suppress(UsageError):
            page = check_page(url)
            self._say(f"  host: {page.host}")
            for warning in page.warnings:
                self._say(f"  ! {warning}")

    async def _open(self, url: str) -> None:
        """Opens the browser; at a terminal only after the user has seen where it goes."""
        host = check_page(url).host
        if self._there:
            try:
                await self._keyboard.line(visible(f"Press Enter to open {host} in your browser: "))
            except EOFError:
                raise UsageError("no browser was opened") from None
        await open_page(url)

    async def _line(self, prompt: str) -> str:
        try:
            return await self._keyboard.line(prompt)
        except EOFError:
            return ""

    async def _pasted(self, prompt: str) -> str:
        """A line of any length: a terminal that collects lines cuts them after 4095 characters,
        and there are longer codes."""
        if not self._there:
            return await self._keyboard.line(prompt)
        with _terminal_without(termios.ICANON):
            line = await self._keyboard.line(prompt)
        if "\x04" in line:
            raise EOFError
        while "\x7f" in line:
            line = _ERASED.sub("", line)
        return line

    @staticmethod
    def _nobody(what: str, option: str) -> ConnectionFailed:
        return ConnectionFailed(
            f"{what}, and {NOBODY}", hint=f"add {option}", kind="auth", fault="you"
        )


@contextmanager
def _terminal_without(flag: int) -> Iterator[None]:
    """The terminal without one of its local modes: it does not show what is typed (ECHO), or hands
    it on as it comes (ICANON)."""
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    changed = [*before]
    changed[3] = int(before[3]) & ~flag
    termios.tcsetattr(handle, termios.TCSADRAIN, changed)
    try:
        yield
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def _yes(text: str) -> bool:
    return text[:1].lower() == "y"
