"""Variables in the values of an MCP config file, expanded as its host program does.

Understood are `${VAR}` and `${VAR:-default}` (Claude Code), `${env:VAR}`, `${userHome}`,
`${workspaceFolder}`, `${workspaceFolderBasename}`, `${pathSeparator}` or `${/}`, and `${input:ID}`
(VS Code, Cursor). What was expanded is noted, because it is shown before anything starts; what
cannot be expanded is a problem, never an empty string.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_VARIABLE = re.compile(r"\$\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(slots=True)
class Expander:
    """Expands the values of one entry and remembers what it did.

    `folder` is the project the file belongs to (None for a user's own file), `defaults` the
    defaults of VS Code's inputs, `inputs` their descriptions.
    """

    environ: Mapping[str, str]
    home: Path
    folder: Path | None = None
    defaults: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def expand(self, text: str, where: str) -> str:
        """`text` with its variables replaced; `where` names the value in notes and problems."""
        return _VARIABLE.sub(lambda found: self._value(found[1], found[0], where), text)

    def _value(self, inner: str, whole: str, where: str) -> str:
        if inner.startswith("input:"):
            return self._input(inner[6:], whole, where)
        fixed = self._fixed(inner)
        if fixed is not None:
            return fixed
        name, has_default, default = inner.removeprefix("env:").partition(":-")
        if not _NAME.fullmatch(name):
            self.problems.append(f"{where} uses {whole}, which is no variable known here")
            return whole
        value = self.environ.get(name)
        if value is not None and (value or not has_default):
            self._note(f"{where}: ${{{name}}} comes from your environment")
            return value
        if has_default:
            self._note(f"{where}: ${{{name}}} is not set, its default is used")
            return default
        self.problems.append(f"{where} needs the environment variable {name}, which is not set")
        return whole

    def _fixed(self, name: str) -> str | None:
        if name in ("pathSeparator", "/"):
            return os.sep
        if name == "userHome":
            return str(self.home)
        folder = self.folder or Path.cwd()
        if name == "workspaceFolder":
            return str(folder)
        if name == "workspaceFolderBasename":
            return folder.name
        return None

    def _input(self, identity: str, whole: str, where: str) -> str:
        if identity in self.defaults:
            self._note(f"{where}: the default of the input {identity} is used")
            return self.defaults[identity]
        about = self.inputs.get(identity, "")
        self.problems.append(
            f"{where} asks for the input {identity}" + (f" ({about})" if about else "")
        )
        return whole

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)
