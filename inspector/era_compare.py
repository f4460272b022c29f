"""One call under several protocol revisions: what each of them brought, and where they differ.

Decides what counts as the same outcome: the result or error without what belongs to the era
(`inspector.compare.values`), and what the server asked meanwhile. How it was asked, how long it
took and what was logged are facts beside it, never a difference. Pure; who makes the calls is
`inspector.era_matrix`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from inspector.compare.values import Difference, canonical, differences, is_error, without_era
from inspector.errors import InspectorError
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.versions import Revision
from inspector.session.asks import Ask
from inspector.session.pending import Failure, Lost, Outcome, Success

RunState = Literal["waiting", "connecting", "calling", "done", "refused", "failed", "stopped"]
"""`refused`: the server does not speak the revision; `failed`: no session for another reason;
`stopped`: given up by the user."""
Asking = Literal["request", "input_required", "error"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that the server asked while the call ran. `how` is the way it came, `answer` what
    was said, `note` why."""

    method: str
    message: str
    how: Asking
    answer: Json
    note: str


@dataclass(frozen=True, slots=True)
class Run:
    """The call under one revision.

    `why` tells how the revision was agreed on, or why not. `outcome` is None until the state is
    `done`, and then where the call could not be sent (`unsent` says why). `seconds` is the latency
    of the call. `listed` tells whether the server lists the tool under this revision (None: not
    looked). The counts and `first` to `last` are of the journal's section `connection`.
    """

    revision: Revision
    state: RunState = "waiting"
    why: str = ""
    error: InspectorError | None = None
    outcome: Outcome | None = None
    unsent: str = ""
    asked: tuple[Asked, ...] = ()
    listed: bool | None = None
    seconds: float | None = None
    connection: int = 0
    entry: int = 0
    first: int = 0
    last: int = 0
    entries: int = 0
    progress: int = 0
    logs: int = 0
    notifications: int = 0

    @property
    def over(self) -> bool:
        """Whether nothing more happens to it."""
        return self.state not in ("waiting", "connecting", "calling")

    @property
    def accepted(self) -> bool | None:
        """Whether the server speaks the revision; None where that is not known."""
        if self.state in ("calling", "done"):
            return True
        if self.state == "stopped":
            return True if self.connection and self.why else None
        return False if self.state in ("refused", "failed") else None

    @property
    def clean(self) -> bool:
        """Whether the call came back with a result that is no error."""
        return isinstance(self.outcome, Success) and not is_error(self.outcome.result)


def said(run: Run) -> str:
    """The outcome in at most 20 characters of ours."""
    match run.outcome:
        case Success(result=result):
            return "isError" if is_error(result) else "result"
        case Failure(code=code):
            return f"error {code}"
        case Lost(error=error):
            words = {"timeout": "timeout", "cancelled": "not gone on with"}
            return words.get(error.kind, "no answer")
    if run.unsent:
        return "not sent"
    words = {"waiting": "…", "connecting": "connecting", "calling": "calling"}
    return words.get(run.state, run.state)


def gist(run: Run) -> str:
    """What the outcome says in words, raw text of the server: whoever shows it makes it safe."""
    match run.outcome:
        case Success(result=result):
            return _words(result)
        case Failure(message=message):
            return message
        case Lost(error=error):
            return error.message
    if run.unsent:
        return run.unsent
    return run.error.message if run.error is not None else run.why if run.over else ""


def _words(result: Json) -> str:
    """The first text of a result, else its JSON."""
    body = result if isinstance(result, dict) else {}
    for key in ("content", "contents", "messages"):
        items = body.get(key)
        for item in items if isinstance(items, list) else []:
            inner = item.get("content", item) if isinstance(item, dict) else None
            text = inner.get("text") if isinstance(inner, dict) else None
            if isinstance(text, str):
                return text
    return canonical(without_era(result))


def asked_of(ask: Ask) -> Asked:
    """What an ask was."""
    how: Asking = "request"
    if ask.request_id is None:
        how = "input_required" if ask.cause_from == "result" else "error"
    message = ask.params.get("message")
    return Asked(ask.method, message if isinstance(message, str) else "", how, ask.answer, ask.note)


# -- comparing --


def comparable(run: Run) -> JsonObject:
    """What is compared of a run that is done."""
    compared: JsonObject = {}
    match run.outcome:
        case Success(result=result):
            compared["result"] = without_era(result)
        case Failure(code=code, message=message, data=data):
            error: JsonObject = {"code": code, "message": message}
            if data is not None:
                error["data"] = data
            compared["error"] = error
        case Lost(error=lost):
            compared["lost"] = lost.kind
        case None:
            compared["unsent"] = run.unsent
    asked: list[Json] = [{"method": one.method, "message": one.message} for one in run.asked]
    if asked:
        compared["asked"] = asked
    return compared


@dataclass(frozen=True, slots=True)
class Comparison:
    """The runs that are done, in groups of equal outcomes.

    `base` is the newest of them; its group is the first, the others follow from new to old.
    `differing` tells of each run where it differs from the base ("left" is the base).
    """

    base: Revision | None = None
    groups: tuple[tuple[Revision, ...], ...] = ()
    differing: Mapping[Revision, tuple[Difference, ...]] = field(default_factory=dict)

    @property
    def agree(self) -> bool:
        """Whether all that were accepted brought the same."""
        return len(self.groups) <= 1

    def letter(self, revision: Revision) -> str:
        """The group of a revision as a letter, "" where it is in none."""
        for place, group in enumerate(self.groups):
            if revision in group:
                return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[place]
        return ""


def compare(runs: Sequence[Run]) -> Comparison:
    """Groups the runs that are done."""
    done = sorted((run for run in runs if run.state == "done"), key=lambda run: run.revision)
    if not done:
        return Comparison()
    done.reverse()
    base = comparable(done[0])
    groups: dict[str, list[Revision]] = {}
    differing: dict[Revision, tuple[Difference, ...]] = {}
    for run in done:
        compared = comparable(run)
        groups.setdefault(canonical(compared), []).append(run.revision)
        differing[run.revision] = differences(base, compared)
    return Comparison(
        done[0].revision, tuple(tuple(sorted(group)) for group in groups.values()), differing
    )
