"""What `login` and `logout` do with the authority of a target, and how its steps are printed.

Steps go to stderr as they happen, what there is in the end to stdout. Nothing here ever has a
token: steps and facts come without.
"""

from typing import TYPE_CHECKING, Final

from rich.text import Text

from inspector.auth.actions import StepRecord
from inspector.auth.authority import Authority
from inspector.auth.remarks import Remark, Weight
from inspector.auth.situation import AuthState
from inspector.cli import output
from inspector.cli.options import Chosen, Given
from inspector.cli.output import Output, Paragraph
from inspector.cli.person import TerminalPerson
from inspector.cli.running import Run
from inspector.errors import UsageError
from inspector.protocol.messages import Json, JsonObject, encode_json
from inspector.render.safe import safe_text

if TYPE_CHECKING:
    from inspector.cli.output import Part

WIDTH: Final = 25
"""Cells for the name of a fact."""
_INDENT: Final = 2
_SIGNS: Final = {
    Weight.REFUSAL: ("x ", "mcp.error"),
    Weight.WARNING: ("! ", "mcp.warn"),
    Weight.NOTE: ("- ", "mcp.dim"),
}


def person(given: Given, chosen: Chosen, *, paste: bool, browser: bool) -> TerminalPerson:
    """Who is asked during a login."""
    out = Output(as_json=given.as_json)

    def say(text: str) -> None:
        out.complaint(safe_text(text))

    return TerminalPerson(
        say, paste=paste, browser=browser, redirect_uri=chosen.target.oauth.redirect_uri
    )


async def login(run: Run) -> int:
    """Gets a token and says what it is."""
    authority = _authority(run)
    steps = StepPrinter(run.out)
    before = authority.on_change

    def changed() -> None:
        before()
        steps.look(authority.state)

    authority.on_change = changed
    try:
        await authority.login()
    finally:
        steps.look(authority.state)
    state = authority.state
    if run.out.as_json:
        run.out.result_json(encode_json(as_json(_url(run), state)))
    else:
        run.out.result(*drawn(_url(run), state))
    if state.problem:
        run.out.note(state.problem)
    return output.DONE


async def logout(run: Run) -> int:
    """Revokes and deletes; says what was done."""
    done = await _authority(run).logout()
    if run.out.as_json:
        said: list[Json] = list(done)
        run.out.result_json(encode_json({"server": _url(run), "done": said}))
    else:
        run.out.result(*(safe_text(line) for line in done))
    return output.DONE


def as_json(url: str, state: AuthState) -> JsonObject:
    """What there is, for machines."""
    facts: JsonObject = {name.replace(" ", "_"): value for name, value in state.facts}
    steps: list[Json] = [_step_json(step) for step in state.steps]
    authorized = state.phase == "authorized"
    return {"server": url, "authorized": authorized, "facts": facts, "steps": steps}


def drawn(url: str, state: AuthState) -> "list[Part]":
    """What there is, for people."""
    lines: list[Part] = [Text.assemble(("authorized", "mcp.ok"), " at ", safe_text(url))]
    return lines + [_fact(name, value) for name, value in state.facts]


class StepPrinter:
    """Prints each step once it is over; nothing where JSON is wanted."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._told: list[StepRecord] = []

    def look(self, state: AuthState) -> None:
        """Prints what is new."""
        if self._out.as_json:
            return
        for step in state.steps:
            if step.state in ("done", "failed") and step not in self._told:
                self._told.append(step)
                self._out.complaint(*step_lines(step))


def step_lines(step: StepRecord) -> "list[Part]":
    """A step: where it asked, what it found, what is to be said about that."""
    ink = "mcp.ok" if step.state == "done" else "mcp.error"
    lines: list[Part] = [Text.assemble((step.state, ink), "  ", (step.stage.value, "mcp.title"))]
    if step.where and ("found at", step.where) not in step.found:
        lines.append(_fact("asked", step.where))
    lines += [_fact(name, value) for name, value in step.found]
    return lines + [_remark(remark) for remark in step.remarks]


def _fact(name: str, value: str) -> Paragraph:
    lead = Text.assemble(" " * _INDENT, (name, "mcp.dim"), " ")
    return Paragraph(safe_text(value), _INDENT + WIDTH, lead)


def _remark(remark: Remark) -> Paragraph:
    sign, ink = _SIGNS[remark.weight]
    text = Text.assemble(safe_text(remark.message), (f" ({remark.source})", "mcp.dim"))
    return Paragraph(text, _INDENT + len(sign), Text(" " * _INDENT + sign, ink))


def _step_json(step: StepRecord) -> JsonObject:
    found: JsonObject = {}
    for label, value in step.found:
        name = label.replace(" ", "_")
        found[name] = f"{found[name]}; {value}" if name in found else value
    remarks: list[Json] = [
        {"weight": one.weight.value, "rule": one.rule, "message": one.message, "source": one.source}
        for one in step.remarks
    ]
    return {
        "step": step.stage.value,
        "state": step.state,
        "asked": step.where,
        "source": step.source,
        "found": found,
        "remarks": remarks,
    }


def _authority(run: Run) -> Authority:
    authority = run.bench.authority
    if authority is None:
        raise UsageError("there is nothing to authorize")
    return authority


def _url(run: Run) -> str:
    return run.bench.journal.redactor.url(run.bench.target.url)
