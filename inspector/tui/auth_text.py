"""The words of the Auth screen: how an authorization stands, step by step. Pure.

Everything that came from the network goes through `render.safe`; the values have no secrets in
them but the address of the page to agree on, which is for the eyes of the user only.
"""

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from rich.cells import cell_len
from rich.text import Text

from inspector.auth.actions import Failed, StepRecord, StepState
from inspector.auth.remarks import Remark, Weight
from inspector.auth.situation import AuthState, Phase
from inspector.render.safe import one_line, safe_text, visible
from inspector.tui.auth_person import Question

PHASES: Final[dict[Phase, tuple[str, str, str]]] = {
    "none": ("○", "no token", "mcp.dim"),
    "stored": ("●", "a token of an earlier run", "mcp.ok"),
    "running": ("◌", "on the way to a token", "mcp.warn"),
    "waiting": ("◌", "waiting for you", "mcp.badge"),
    "authorized": ("●", "authorized", "mcp.ok"),
    "failed": ("✗", "failed", "mcp.error"),
}
_MARKS: Final[dict[StepState, tuple[str, str]]] = {
    "running": ("◌", "mcp.warn"),
    "waiting": ("?", "mcp.badge"),
    "done": ("✓", "mcp.ok"),
    "failed": ("✗", "mcp.error"),
}
_WEIGHTS: Final = {
    Weight.REFUSAL: ("refused", "mcp.error"),
    Weight.WARNING: ("warning", "mcp.warn"),
    Weight.NOTE: ("note", "mcp.dim"),
}
_NAMES: Final = 31
"""Cells for the names of facts."""


def auth_title(server_url: str, state: AuthState) -> Text:
    """One line: how it stands, and where."""
    mark, words, ink = PHASES[state.phase]
    text = Text(end="", no_wrap=True)
    text.append(f"{mark} {words}", ink)
    text.append_text(safe_text(f" · {server_url}", "mcp.dim", keep_newlines=False))
    return text


def auth_lines(state: AuthState, width: int) -> list[Text]:
    """Steps, failure, and what is known of the token."""
    lines: list[Text] = []
    if not state.steps and not state.facts:
        lines += _folded(_EMPTY, width, 0, "mcp.dim")
    for step in state.steps:
        lines += _step(step, width)
    if state.error is not None:
        lines += [Text(end=""), *_failure(state.error, width)]
    if state.problem:
        lines += [Text(end=""), *_folded(state.problem, width, 0, "mcp.warn")]
    if state.facts:
        lines += [Text(end=""), _heading("Token")]
        for name, value in state.facts:
            lines += _fact(name, value, width)
    return lines


_EMPTY: Final = (
    "No authorization was asked for yet: a server that needs one answers 401, and then the steps "
    "show here as they happen. L logs in now."
)


def question_lines(question: Question, remarks: tuple[str, ...], width: int) -> list[Text]:
    """What the user is asked, whole: an address is never cut."""
    lines = list(_question(question, width))
    for remark in remarks:
        lines += _folded(remark, width, 0, "mcp.warn")
    return lines


def _question(question: Question, width: int) -> Iterator[Text]:
    match question.kind:
        case "consent":
            yield _heading("The server wants your consent. Open this page in the browser?")
            host = urlsplit(question.url).hostname or ""
            yield from _fact("host", host, width, ink="mcp.title")
            yield from _folded(question.url, width, 2, "mcp.link")
        case "server":
            yield _heading("Several authorization servers are named. Which one may it be?")
        case "issuer":
            yield _heading("The names of the issuer differ by a slash. Allow it this once?")
            for name, value in zip(("expected", "found"), question.choices, strict=True):
                yield from _fact(name, value, width)
        case "client":
            yield _heading("Which client are we? None can be registered there.")
            yield from _fact("issuer", question.choices[0], width)
            yield from _folded(question.text, width, 2, "mcp.dim")
        case "scopes":
            yield _heading("The server wants more scopes. Ask for them?")
            yield from _folded(question.text, width, 2, "mcp.dim")
            yield from _folded(" ".join(question.choices), width, 2, "mcp.accent")


def _step(step: StepRecord, width: int) -> Iterator[Text]:
    mark, ink = _MARKS[step.state]
    text = Text(end="", no_wrap=True)
    text.append(f"{mark} ", ink)
    text.append(step.stage.value, "mcp.title")
    if step.entries:
        numbers = ", ".join(f"#{number}" for number in step.entries[-4:])
        text.append(f"  {numbers}", "mcp.faint")
    yield text
    if step.where and ("found at", step.where) not in step.found:
        yield from _fact("asked at", step.where, width)
    for name, value in step.found:
        yield from _fact(name, value, width)
    if step.source:
        yield from _fact("by the rule of", step.source, width, ink="mcp.dim")
    for remark in step.remarks:
        yield from _remark(remark, width)


def _remark(remark: Remark, width: int) -> Iterator[Text]:
    word, ink = _WEIGHTS[remark.weight]
    yield from _folded(f"{word}: {remark.message} ({remark.source})", width, 4, ink)


def _failure(failed: Failed, width: int) -> Iterator[Text]:
    yield _heading(f"Stopped at: {failed.stage.value}", "mcp.error")
    yield from _folded(failed.message, width, 2, "mcp.error")
    if failed.hint:
        yield from _folded(failed.hint, width, 2, "")


def _heading(words: str, ink: str = "mcp.title") -> Text:
    return _line(words, 0, ink)


def _fact(name: str, value: str, width: int, *, ink: str = "") -> Iterator[Text]:
    """A name and a value, which goes on below where it is long."""
    first = _line(f"{one_line(name, _NAMES - 5):<{_NAMES - 4}}", 4, "mcp.dim")
    for place, line in enumerate(_folded(value, width - _NAMES, 0, ink)):
        whole = first if not place else Text(" " * _NAMES, end="", no_wrap=True)
        whole.append_text(line)
        yield whole


def _folded(text: str, width: int, indent: int, ink: str) -> Iterator[Text]:
    """The text in lines of at most `width` cells: at spaces where there are some, else anywhere."""
    room = max(8, width - indent)
    line = ""
    for word in visible(text, keep_newlines=False).split(" "):
        joined = f"{line} {word}" if line else word
        if cell_len(joined) <= room:
            line = joined
            continue
        if line:
            yield _line(line, indent, ink)
        while cell_len(word) > room:
            cut = room
            while cell_len(word[:cut]) > room:
                cut -= 1
            yield _line(word[:cut], indent, ink)
            word = word[cut:]
        line = word
    if line:
        yield _line(line, indent, ink)


def _line(text: str, indent: int, ink: str) -> Text:
    line = Text(" " * indent, end="", no_wrap=True)
    line.append(text, ink)
    return line
