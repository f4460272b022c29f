"""Who is asked in the terminal interface while an authorization runs: one question at a time.

The flow waits on the workbench's loop; the screen reads `question` and hands an answer back there.
Decides that no browser opens before the user has seen the whole address. How a question looks is
`inspector.tui.screens.auth`.
"""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Union

from inspector.errors import ConnectionFailed

if TYPE_CHECKING:
    from inspector.auth.callback import LoopbackConsent
    from inspector.auth.registration import Client
    from inspector.auth.scopes import StepUp

QuestionKind = Literal["consent", "server", "issuer", "client", "scopes"]
Answer = Union[str, bool, "Client", None]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. `url` is the page to agree on (it carries the state: only for the screen),
    `choices` are issuers or scopes, `text` says why."""

    number: int
    kind: QuestionKind
    text: str = ""
    url: str = field(default="", repr=False)
    choices: tuple[str, ...] = ()


class PersonAtScreen:
    """Asks the one before the screen. All methods but `question` belong to the workbench's loop."""

    def __init__(self, redirect_uri: Callable[[], str] = str) -> None:
        """`redirect_uri` gives the user's choice for the target of now ("": any will do)."""
        self.question: Question | None = None
        self._redirect_uri = redirect_uri
        self._numbers = itertools.count(1)
        self._turn = asyncio.Lock()
        self._answer: asyncio.Future[Answer] | None = None
        self._visiting: LoopbackConsent | None = None
        self.remarks: tuple[str, ...] = ()
        """What the wait for the browser had to say."""

    def consent(self) -> "ScreenConsent":
        """A browser on this machine, opened by the user; or a pasted address."""
        return ScreenConsent(self, self._redirect_uri())

    async def choose_server(self, issuers: tuple[str, ...]) -> str | None:
        """One of the issuers."""
        answer = await self._ask("server", choices=issuers)
        return answer if isinstance(answer, str) else None

    async def allow_issuer(self, expected: str, found: str) -> bool:
        """Whether the other spelling is allowed."""
        return await self._ask("issuer", choices=(expected, found)) is True

    async def name_client(self, issuer: str, reason: str) -> "Client | None":
        """A client that the user registered."""
        from inspector.auth.registration import Client

        answer = await self._ask("client", text=reason, choices=(issuer,))
        return answer if isinstance(answer, Client) else None

    async def confirm_scopes(self, step_up: "StepUp") -> bool:
        """Whether to ask for more scopes."""
        text = f"attempt {step_up.attempt}"
        return await self._ask("scopes", text=text, choices=step_up.added) is True

    async def answer(self, number: int, answer: Answer) -> None:
        """The user's answer to question `number`; too late is no error. To a page it is a pasted
        address, or None for no."""
        question = self.question
        if question is None or question.number != number:
            return
        if self._visiting is not None:
            self._answer_page(self._visiting, answer)
        elif self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    def _answer_page(self, listening: "LoopbackConsent", answer: Answer) -> None:
        if not isinstance(answer, str):
            no = ConnectionFailed("the page was not agreed to", kind="auth", fault="you")
            listening.give_up(no)
        elif not listening.hand_over(answer):
            self.remark("what was pasted is no redirect of this authorization")

    async def _ask(
        self, kind: QuestionKind, *, text: str = "", choices: tuple[str, ...] = ()
    ) -> Answer:
        async with self._turn:
            self._answer = asyncio.get_running_loop().create_future()
            self.question = Question(next(self._numbers), kind, text, choices=choices)
            try:
                return await self._answer
            finally:
                self.question = self._answer = None

    async def visit(
        self, url: str, take: Callable[[str], bool], listening: "LoopbackConsent"
    ) -> None:
        """Shows the address, and waits for a redirect that arrives or is pasted."""
        async with self._turn:
            self.remarks = ()
            self._visiting = listening
            self.question = Question(next(self._numbers), "consent", url=url)
            try:
                await listening.fetch(url, take)
            finally:
                self.question = self._visiting = None

    def remark(self, words: str) -> None:
        """Keeps what there is to say, without secrets."""
        self.remarks = (*self.remarks[-4:], words)


class ScreenConsent:
    """Consent as `inspector.auth.person.Consent` has it."""

    def __init__(self, person: PersonAtScreen, redirect_uri: str) -> None:
        from inspector.auth.callback import LoopbackConsent

        self._person = person
        self._listening = LoopbackConsent(
            None, announce=lambda _: None, say=person.remark, redirect_uri=redirect_uri
        )

    async def open(self, wanted: tuple[str, ...] = ()) -> str:
        """Listens on this machine."""
        return await self._listening.open(wanted)

    async def fetch(self, url: str, take: Callable[[str], bool]) -> None:
        """Until a redirect of ours has come, one way or the other."""
        await self._person.visit(url, take, self._listening)

    async def close(self) -> None:
        """Listens no more."""
        await self._listening.close()
