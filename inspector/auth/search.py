"""The look at one candidate after another, until one can be used, one ends the search, or none is
left. One for both metadata documents; where they may lie is decided in `discovery`, what they say
is judged in `metadata`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Generic, Literal, TypeVar

from inspector.auth.discovery import Answer, Candidate, Outcome, after_status, outcome_of
from inspector.auth.exchange import Form, OAuthRequest, Step, get
from inspector.auth.remarks import Judged, Remark, refusals

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why going on would be a guess. `message` is a sentence without its end."""

    kind: str
    message: str
    hint: str = ""
    fault: Literal["you", "server", "network"] = "server"
    remarks: tuple[Remark, ...] = ()


REJECTED: Final = "metadata-rejected"


class Search(Generic[T]):
    """One search. `where` and `source` are of the candidate asked last, `absent` are the places
    where nothing was."""

    def __init__(
        self,
        step: Step,
        candidates: Iterable[Candidate],
        read: Callable[[bytes], Judged[T]],
        headers: Form = (),
    ) -> None:
        self._step = step
        self._waiting = list(candidates)
        self._read = read
        self._headers = headers
        self.where = ""
        self.source = ""
        self.absent: list[str] = []
        self.outcomes: list[Outcome] = []

    def following(self) -> OAuthRequest | None:
        """The next request; None where no candidate is left."""
        if not self._waiting:
            return None
        candidate = self._waiting.pop(0)
        self.where, self.source = candidate.url, candidate.source
        return get(self._step, candidate.url, self._headers)

    @property
    def left(self) -> bool:
        """Whether there is another candidate."""
        return bool(self._waiting)

    def take(self, status: int, body: bytes) -> Judged[T] | Stopped | None:
        """What an answer means: a document, judged and not necessarily usable; the end of the
        search; None to look further."""
        match after_status(status):
            case Answer.NEXT:
                self._nothing()
                return None
            case Answer.STOP:
                self.outcomes.append(Outcome.FAILED)
                return Stopped(
                    "server-trouble",
                    f"HTTP {status} from {self.where}",
                    "the metadata may be there when the server is well again",
                )
            case Answer.READ:
                judged = self._read(body)
                outcome = outcome_of(judged)
                if outcome is Outcome.ABSENT:
                    self._nothing()
                    return None
                if outcome is not None:
                    self.outcomes.append(outcome)
                return judged

    def _nothing(self) -> None:
        self.outcomes.append(Outcome.ABSENT)
        self.absent.append(self.where)


def rejected(judged: Judged[T], where: str) -> Stopped:
    """The end of a search whose document must not be used."""
    broken = refusals(judged.remarks)
    reasons = "; ".join(remark.message for remark in broken)
    hint = "nothing is guessed in its place; the server's operator has to correct it"
    if {remark.rule for remark in broken} == {"pkce-unknown"}:
        hint = "where you know that it does: --allow-missing-pkce-metadata"
    return Stopped(
        REJECTED,
        f"the metadata at {where} is rejected: {reasons}",
        hint,
        remarks=judged.remarks,
    )
