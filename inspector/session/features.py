"""What one does with a session: call tools, read, get prompts, complete, subscribe, ping.

Each makes the parameters that the specification wants and sends them through the session, which
checks what was negotiated. Nothing is kept here.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from inspector.errors import PeerViolation, Undeclared, UsageError
from inspector.journal.entries import Flag
from inspector.protocol.header_params import HeaderParams, header_params
from inspector.protocol.messages import JsonObject, Sendable
from inspector.protocol.versions import TASKS_EXTENSION, Era, Revision
from inspector.session.catalog import Catalog
from inspector.session.changes import Changes
from inspector.session.completion import Completion, completion_params, read_completion
from inspector.session.engine import Engine
from inspector.session.options import Options
from inspector.session.pending import Call, Failure, Lost, Success
from inspector.session.roots import Root, read_root
from inspector.session.state import SessionState
from inspector.session.subscriptions import Subscriptions
from inspector.session.tasks import Tasks, task_support

PINGS: Final = 60
AS_TASK: Final = "tools/call as a task"
BAD_MARKS: Final = "tools/call with invalid header marks"


class Features(ABC):
    """The features of a session; `inspector.session.session.Session` is the one that has them.

    Coroutines raise UsageError for what was not negotiated (unless `force`), never for what the
    server does: that is in the outcome of the call.
    """

    engine: Engine
    catalog: Catalog
    tasks: Tasks
    subscriptions: Subscriptions
    changes: Changes
    options: Options
    roots: tuple[Root, ...]
    pings: tuple[float, ...]
    permitted: frozenset[str]

    @property
    def state(self) -> SessionState:
        """What is known of the session now."""
        return self.engine.state

    @property
    def era(self) -> Era:
        """The era whose rules this session follows."""
        return self.engine.strategy.era

    @abstractmethod
    async def request(
        self,
        method: str,
        params: Sendable = None,
        *,
        timeout: float | None = None,
        force: bool = False,
        progress: bool = True,
        retry_of: int | None = None,
        on_success: Callable[[Call, Success], bool] | None = None,
    ) -> Call:
        """Sends a request."""

    @abstractmethod
    def check(self, method: str, force: bool = False) -> Flag:
        """Whether `method` may be sent."""

    async def call_tool(
        self,
        name: str,
        arguments: Sendable = None,
        *,
        task: int | None = None,
        timeout: float | None = None,
        extra_meta: Mapping[str, Sendable] | None = None,
        force: bool = False,
    ) -> Call:
        """Calls a tool.

        `task` asks for a task that is kept for so many milliseconds (0: as long as the server
        likes); the call then ends with the task's outcome. A tool that can only run as a task is
        called as one. A tool with invalid header marks is rejected over HTTP (2026-07-28
        basic/transports/streamable-http). Raises Undeclared for that, and where a task is not
        allowed, unless `force`.
        """
        params: dict[str, Sendable] = {"name": name}
        if arguments is not None:
            params["arguments"] = arguments
        if extra_meta:
            params["_meta"] = dict(extra_meta)
        marks = self.marks_of(name)
        over_http = self.era is Era.MODERN and self.engine.transport.kind != "stdio"
        if marks.problem and over_http and not force and BAD_MARKS not in self.permitted:
            raise Undeclared(f"the tool {name!r} must not be called: {marks.problem}", BAD_MARKS)
        support = task_support(self.catalog["tools"].find("name", name))
        tasks_work = self.runs_tasks
        if task is None and support == "required" and tasks_work:
            task = 0
        if task is None:
            return await self.request("tools/call", params, timeout=timeout, force=force)
        force = force or AS_TASK in self.permitted
        if not force and (problem := self._no_task(name, support, tasks_work)):
            raise Undeclared(problem, AS_TASK)
        params["task"] = {"ttl": task} if task else {}
        return await self.request(
            "tools/call", params, timeout=timeout, force=force, on_success=self.tasks.created
        )

    def marks_of(self, tool: str) -> HeaderParams:
        """The arguments of a listed tool that travel as HTTP headers too."""
        listed = self.catalog["tools"].find("name", tool)
        return header_params(listed.get("inputSchema") if isinstance(listed, dict) else None)

    @property
    def runs_tasks(self) -> bool:
        """Whether tools may be called as tasks: 2025-11-25 only, and only where declared."""
        declared = self.state.declares("tasks", "requests", "tools", "call")
        return declared and self.state.revision is Revision.V2025_11_25

    @property
    def has_tasks(self) -> bool:
        """Whether the server declares tasks, as a capability or as the extension."""
        return self.state.declares("tasks") or self.state.declares("extensions", TASKS_EXTENSION)

    def _no_task(self, name: str, support: str, tasks_work: bool) -> str:
        """2025-11-25 basic/utilities/tasks: capability first, then the tool's own word."""
        if not tasks_work:
            if self.era is Era.MODERN:
                return "since 2026-07-28 the server decides itself which calls run as tasks"
            if self.state.revision is not Revision.V2025_11_25:
                return f"{self.state.revision} has no tasks of tools/call"
            return "the server does not declare tasks.requests.tools.call"
        if support == "forbidden" and self.catalog["tools"].state == "ready":
            return f"the tool {name!r} does not allow to be run as a task"
        return ""

    async def read_resource(self, uri: str, *, force: bool = False) -> Call:
        """Reads a resource; a "changed" mark on it is taken away."""
        call = await self.request("resources/read", {"uri": uri}, force=force)
        if self.subscriptions.find(uri) is not None:
            self.subscriptions.seen(uri)
        return call

    async def get_prompt(
        self, name: str, arguments: Mapping[str, str] | None = None, *, force: bool = False
    ) -> Call:
        """Gets a prompt; arguments are strings (server/prompts)."""
        params: dict[str, Sendable] = {"name": name}
        if arguments:
            params["arguments"] = dict(arguments)
        return await self.request("prompts/get", params, force=force)

    async def complete(
        self,
        ref: JsonObject,
        argument: str,
        value: str,
        context: Mapping[str, str] | None = None,
        *,
        force: bool = False,
    ) -> Completion:
        """Suggestions for an argument of a prompt or a variable of a resource template."""
        flags = self.check("completion/complete", force)
        params = completion_params(ref, argument, value, context, self.state.revision)
        call = await self.engine.request("completion/complete", params, flags=flags)
        return read_completion(await call.wait())

    async def ping(self) -> float:
        """Seconds until the server answered. Raises InspectorError where it does not."""
        call = await self.request("ping", progress=False)
        outcome = await call.wait()
        match outcome:
            case Lost():
                raise outcome.error
            case Failure():
                raise PeerViolation(f"ping was refused: {outcome.code} {outcome.message}")
            case Success():
                self.pings = (*self.pings[-(PINGS - 1) :], call.elapsed)
                self.changes.bump("state")
                return call.elapsed

    async def set_log_level(self, level: str | None, *, force: bool = False) -> Call | None:
        """Asks for log notifications from `level` up; the call is done when this returns. None in
        the modern era, where no request of its own says it, and where None asks for no logs."""
        if self.era is Era.MODERN:
            # 2026-07-28 server/utilities/logging: each request says which logs it wants
            self.engine.update(lambda s: replace(s, log_level=level))
            return None
        if level is None:
            raise UsageError(f"{self.state.revision} cannot ask for no logs at all")
        call = await self.request("logging/setLevel", {"level": level}, force=force, progress=False)
        if isinstance(await call.wait(), Success):
            self.engine.update(lambda s: replace(s, log_level=level))
        return call

    async def subscribe(self, uri: str, *, force: bool = False) -> Call:
        """Asks to be told when the resource changes; the call is done when this returns."""
        return await self.subscriptions.subscribe(
            uri, self.check(self._watching("subscribe"), force)
        )

    async def unsubscribe(self, uri: str, *, force: bool = False) -> Call:
        """The opposite of `subscribe`."""
        return await self.subscriptions.unsubscribe(
            uri, self.check(self._watching("unsubscribe"), force)
        )

    async def set_roots(self, roots: Iterable[Root]) -> None:
        """Replaces the roots, and tells the server where that was declared (client/roots).

        Raises UsageError for a root that is no `file://` URI.
        """
        self.roots = tuple(read_root(root.uri, root.name) for root in roots)
        self.options = replace(self.options, roots=self.roots)
        self.changes.bump("state")
        declared = self.state.client_capabilities.get("roots")
        if self.state.ready and isinstance(declared, dict) and declared.get("listChanged"):
            await self.engine.notify("notifications/roots/list_changed")

    def _watching(self, what: str) -> str:
        return "subscriptions/listen" if self.era is Era.MODERN else f"resources/{what}"
