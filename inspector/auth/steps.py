"""The steps of one flow as they are shown, and the one place where its texts lose their secrets.

Holds and cleans only; what is worth a fact is decided by the flow. Servers may repeat what we sent
them (a code, a client secret) in what they say, so every text of theirs passes here.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from inspector.auth.actions import Stage, StepRecord, StepState
from inspector.auth.exchange import ErrorAnswer, read_object
from inspector.auth.remarks import Remark
from inspector.auth.secret import Secret
from inspector.journal.redact import Redactor

_SECRET_MEMBERS: Final = (
    "access_token",
    "refresh_token",
    "id_token",
    "client_secret",
    "registration_access_token",
)
_ORDER: Final = tuple(Stage)


class StepLog:
    """One record per stage, in the order in which they come; the last one is the current one."""

    def __init__(self, salt: bytes) -> None:
        """`salt` makes the marks of masked secrets unlike those of other flows."""
        self._redactor = Redactor(salt)
        self._records: tuple[StepRecord, ...] = ()

    @property
    def records(self) -> tuple[StepRecord, ...]:
        """All steps so far."""
        return self._records

    @property
    def stage(self) -> Stage:
        """Where the flow is."""
        return self._records[-1].stage if self._records else Stage.RESOURCE

    def learn(self, *secrets: Secret | None) -> None:
        """From now on no text shows these."""
        for secret in secrets:
            if secret is not None:
                self._redactor.learn(secret.reveal())
        self._clean_again()

    def learn_body(self, body: bytes) -> None:
        """The same for the secrets that an answer brings, used or not."""
        found = read_object(body)
        if isinstance(found, str):
            self._redactor.sent(body)  # it learns what looks like one, also where JSON is broken
            self._clean_again()
            return
        values = (found.get(name) for name in _SECRET_MEMBERS)
        self.learn(*(Secret(value) for value in values if isinstance(value, str)))

    def learn_url(self, url: str) -> None:
        """The same for what a URL carries: the code in a redirect of ours, also where it is not
        used, or a key in the address of the server."""
        self._redactor.learn_url(url)
        self._clean_again()

    def clean(self, text: str) -> str:
        """The text without any secret that is known here."""
        raw, changed = self._redactor.text(text.encode("utf-8", "backslashreplace"))
        return raw.decode("utf-8", "backslashreplace") if changed else text

    def cleaned(self, remarks: Iterable[Remark]) -> tuple[Remark, ...]:
        """The remarks without any secret."""
        return tuple(replace(remark, message=self.clean(remark.message)) for remark in remarks)

    def cleaned_answer(self, answer: ErrorAnswer) -> ErrorAnswer:
        """What an endpoint says without any secret, whole or later cut."""
        return replace(
            answer,
            error=self.clean(answer.error),
            description=self.clean(answer.description),
            reason=self.clean(answer.reason),
        )

    def begin(self, stage: Stage) -> None:
        """Enters `stage`, for the first time or once more: what came of it and of later ones
        before is gone, what came before it is done."""
        place = _ORDER.index(stage)
        kept = [step for step in self._records if _ORDER.index(step.stage) < place]
        done = [replace(step, state="done") for step in kept]
        self._records = (*done, StepRecord(stage, "running"))

    def ask(self, where: str, source: str = "") -> None:
        """The current step asks at `where`, because of the rule `source`."""
        self._change(where=self.clean(where), source=source, state="running")

    def saw(self, entry: int) -> None:
        """The journal entry `entry` (0: none) belongs to the current step."""
        if entry and self._records:
            self._change(entries=(*self._records[-1].entries, entry))

    def note(self, name: str, value: str) -> None:
        """A fact that the current step found."""
        if self._records:
            self._change(found=(*self._records[-1].found, (name, self.clean(value))))

    def remark(self, remarks: Iterable[Remark]) -> None:
        """What rules have to say about what the current step found."""
        if self._records:
            self._change(remarks=(*self._records[-1].remarks, *self.cleaned(remarks)))

    def turn(self, state: StepState) -> None:
        """How the current step stands."""
        if self._records:
            self._change(state=state)

    def _clean_again(self) -> None:
        """A server may have repeated a secret before it was known here to be one."""
        self._records = tuple(
            replace(
                step,
                where=self.clean(step.where),
                found=tuple((name, self.clean(value)) for name, value in step.found),
                remarks=self.cleaned(step.remarks),
            )
            for step in self._records
        )

    def _change(self, **fields: object) -> None:
        changed = replace(self._records[-1], **fields)  # type: ignore[arg-type]
        self._records = (*self._records[:-1], changed)
