"""What the user may choose about an inspection before it starts: one immutable value.

The command line and the settings file fill it in; sessions and the workbench read it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.protocol.versions import TASKS_EXTENSION, Era, Revision
from inspector.session.asks import INTERACTIVE, AskKind, Policy
from inspector.session.roots import Root

if TYPE_CHECKING:
    from inspector.protocol.messages import JsonObject


@dataclass(frozen=True, slots=True)
class Advertise:
    """The client capabilities to declare, each with its own switch.

    `sampling_tools` and `sampling_context` are off: nothing here runs a model, so to promise tool
    use or context inclusion would be untrue unless the user wants to provoke it. `tasks` is the
    extension `io.modelcontextprotocol/tasks`, which there is from 2026-07-28 on.
    """

    roots: bool = True
    roots_list_changed: bool = True
    sampling: bool = True
    sampling_tools: bool = False
    sampling_context: bool = False
    elicitation: bool = True
    elicitation_url: bool = True
    tasks: bool = True

    def capabilities(self, revision: Revision) -> "JsonObject":
        """The `capabilities` object to send with `revision`, which has only what it defines."""
        declared: JsonObject = {}
        if self.roots:
            announces = self.roots_list_changed and revision.era is Era.HANDSHAKE
            declared["roots"] = {"listChanged": True} if announces else {}
        if self.sampling:
            sampling: JsonObject = {}
            if revision >= Revision.V2025_11_25:
                if self.sampling_tools:
                    sampling["tools"] = {}
                if self.sampling_context:
                    sampling["context"] = {}
            declared["sampling"] = sampling
        if revision >= Revision.V2025_11_25:
            modes: JsonObject = {}
            if self.elicitation:
                modes["form"] = {}
            if self.elicitation_url:
                modes["url"] = {}
            if modes:
                declared["elicitation"] = modes
        elif self.elicitation and revision >= Revision.V2025_06_18:
            declared["elicitation"] = {}
        if self.tasks and revision.era is Era.MODERN:
            declared["extensions"] = {TASKS_EXTENSION: {}}
        return declared


@dataclass(frozen=True, slots=True)
class Options:
    """Choices for one inspection. Durations are seconds; 0 means no limit.

    `timeout` runs from sending, or from the last progress, to the answer; `max_timeout` is the
    limit that progress cannot extend; `connect_timeout` bounds the opening of a session.
    `record` names the recording; without it one is made in `state_dir` (None: the user's own),
    unless `no_record`. An empty `client_version` is the one of this program.
    """

    protocol: str = "handshake"
    timeout: float = 60.0
    max_timeout: float = 900.0
    connect_timeout: float = 30.0
    record: Path | None = None
    no_record: bool = False
    policies: Mapping[AskKind, Policy] = field(default_factory=lambda: INTERACTIVE)
    roots: tuple[Root, ...] = ()
    advertise: Advertise = field(default_factory=Advertise)
    client_name: str = "mcp-inspect"
    client_version: str = ""
    state_dir: Path | None = None


def own_version() -> str:
    """The version of the installed program, "0" where it runs uninstalled."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mcp-inspect")
    except PackageNotFoundError:
        return "0"
