"""What is said about an outcome: one line for how it stands, one for progress, and its blocks.

Three kinds of failure are told apart: the tool's own, the server's refusal, and no answer at all.
"""

from collections.abc import Callable
from typing import Final

from rich.text import Text

from inspector.past.calls import PastCall
from inspector.protocol.codes import name_of
from inspector.protocol.messages import Json, raw_members
from inspector.render.content import Block, size_words
from inspector.render.safe import one_line
from inspector.session.pending import Call, Failure, Lost, Outcome, Success
from inspector.tui.widgets.history import is_error, latency_words

FAULTS: Final = {
    "you": "On your side.",
    "server": "On the server's side.",
    "config": "In the configuration.",
    "network": "Between us and the server.",
    "us": "In this program.",
}
ANEW: Final = "under a new id"
"""What a hint says where the same request cannot be gone on with (2026-07-28)."""
AGAIN: Final = (
    "Ctrl+R sends it anew. In the traffic, r sends the same bytes under the old id, and R lets you "
    "change the id first."
)


def say_outcome(head: Text, call: Call, verdict: Text) -> None:
    """Append how a call stands; `verdict` is what a schema says of its result."""
    took = latency_words(call.elapsed)
    match call.outcome:
        case None:
            words = "waits for your answer (Asks)" if call.waiting_for_us else "running"
            head.append(f"● {words}", "mcp.accent")
            cancels = "" if isinstance(call, PastCall) else "   ^X cancels"
            head.append(f"  {took}{cancels}", "mcp.dim")
        case Success(result=result):
            if is_error(result):
                head.append("✗ the tool failed", "mcp.error")
                head.append(" (isError)", "mcp.dim")
            elif not isinstance(result, dict):
                head.append("! answered, but a result is an object", "mcp.warn")
            else:
                head.append("✓ ok", "mcp.ok")
            head.append(f"  {took}", "mcp.dim")
            if verdict.plain:
                head.append("  ")
                head.append_text(verdict)
        case Failure(code=code):
            head.append(f"✗ JSON-RPC error {code}", "mcp.error")
            head.append(f" {name_of(code)}  {took}", "mcp.dim")
        case Lost(error=error):
            head.append(f"✗ no answer: {error.kind}", "mcp.warn")
            head.append(f"  after {took}", "mcp.dim")


def outcome_blocks(
    outcome: Outcome | None, read: Callable[[Json, bytes], list[Block]]
) -> list[Block]:
    """What an outcome has to show; `read` makes blocks of a result."""
    match outcome:
        case None:
            return []
        case Success(result=result, raw=raw):
            return read(result, raw)
        case Failure(message=message, raw=raw, hint=hint):
            blocks = [Block("message", "text", text=message, extension=".txt")]
            if hint:
                blocks.append(Block("what helps", "text", text=hint, extension=".txt"))
            data = raw_members(raw).get("data")
            if data is not None:
                blocks.append(Block("data", "json", data=data, extension=".json"))
            return blocks
        case Lost(error=error):
            again = AGAIN if ANEW in error.hint else ""
            words = [error.message, error.hint, again, FAULTS[error.fault]]
            text = "\n".join(word for word in words if word)
            return [Block("why", "text", text=text, extension=".txt")]


def progress_line(call: Call, width: int) -> Text:
    """A bar, the numbers and the server's own words about the progress of a call."""
    line = Text(no_wrap=True, end="")
    progress = call.progress
    if call.arriving:
        line.append(f"{size_words(call.arriving)} of an answer came, not whole yet  ", "mcp.dim")
    if progress is None:
        if not call.arriving:
            line.append("no progress reported yet", "mcp.faint")
        return line
    said = one_line(progress.message, max(0, width - 30)) if progress.message else ""
    if progress.total is not None and progress.total > 0:
        share = max(0.0, min(1.0, progress.progress / progress.total))
        bar = max(6, min(20, width // 3))
        full = round(share * bar)
        line.append("━" * full, "mcp.accent")
        line.append("━" * (bar - full), "mcp.bar")
        line.append(f" {share * 100:3.0f} %  ", "mcp.dim")
    else:
        line.append(f"{progress.progress:g} so far  ", "mcp.dim")
    line.append(said)
    return line
