"""Drives one flow: sends what it wants sent, asks the person what it wants to know, and tells it
what came of that, until it has a token or stands still.

Decides how long a wait lasts (as long as the person's side says) and that whatever was opened for
it is closed again. What is wanted next is decided by the flow alone; when a flow begins, by
`authority`.
"""

import asyncio
from collections.abc import Callable

from inspector.auth.actions import (
    AllowIssuer,
    Authorize,
    ChooseServer,
    Failed,
    Finished,
    Listen,
    NameClient,
    Send,
    StepRecord,
)
from inspector.auth.flow import Flow
from inspector.auth.person import Consent, Person
from inspector.auth.registration import Client
from inspector.auth.sending import Forbidden, Received, Sender, Unreachable
from inspector.auth.situation import Waiting
from inspector.errors import InspectorError
from inspector.journal.journal import Journal
from inspector.protocol.json_text import Json, JsonObject


class Driver:
    """Carries out the wishes of one flow. `waiting_for` is what the person is asked for now;
    `consent` is the first way to a browser, which was asked for before the flow began; `changed`
    is called whenever there is something new to show."""

    def __init__(
        self,
        flow: Flow,
        *,
        sender: Sender,
        person: Person,
        journal: Journal,
        connection: int,
        clock: Callable[[], float],
        consent: Consent | None,
        keep_client: Callable[[Client], None],
        changed: Callable[[], None],
    ) -> None:
        self.flow = flow
        self.waiting_for: Waiting = ""
        self._sender = sender
        self._person = person
        self._journal = journal
        self._connection = connection
        self._clock = clock
        self._keep_client = keep_client
        self._kept: Client | None = None
        self._changed = changed
        self._next_consent = consent
        self._consent: Consent | None = None
        self._told: tuple[StepRecord, ...] = ()

    async def run(self) -> Finished | Failed:
        """Until the flow has what it wants, or cannot go on."""
        try:
            while True:
                self._tell()
                action = self.flow.action
                if isinstance(action, Finished | Failed):
                    return action
                try:
                    await self._carry_out(action)
                except InspectorError as error:
                    self.flow.given_up(error.message, hint=error.hint)
                finally:
                    self.waiting_for = ""
                if self.flow.action is action:
                    self.flow.given_up(f"nothing came of it ({type(action).__name__})")
        finally:
            await self._close_consent()

    async def _carry_out(
        self, action: Send | ChooseServer | AllowIssuer | NameClient | Listen | Authorize
    ) -> None:
        flow, person = self.flow, self._person
        match action:
            case Send():
                await self._send(action)
            case ChooseServer(issuers=issuers):
                self._wait_for("server")
                flow.chosen(await person.choose_server(issuers), self._clock())
            case AllowIssuer(expected=expected, found=found):
                self._wait_for("issuer")
                flow.issuer_allowed(await person.allow_issuer(expected, found), self._clock())
            case NameClient(issuer=issuer, reason=reason):
                self._wait_for("client")
                flow.client_named(await person.name_client(issuer, reason), self._clock())
            case Listen(wanted=wanted):
                await self._close_consent()
                self._consent, self._next_consent = self._next_consent or person.consent(), None
                flow.listening(await self._consent.open(wanted), self._clock())
            case Authorize():
                await self._ask_consent(action)

    async def _send(self, action: Send) -> None:
        outcome = await self._sender.send(action.request, self._connection)
        flow, now = self.flow, self._clock()
        match outcome:
            case Received(status=status, body=body, entry=entry):
                # The flow may look into the store, which may ask the user to unlock a keyring.
                await asyncio.to_thread(flow.answered, status, body, now, entry=entry)
                registered = flow.registered
                if registered is not None and registered != self._kept:
                    self._kept = registered
                    await asyncio.to_thread(self._keep_client, registered)
            case Unreachable(reason=reason, entry=entry):
                flow.unreachable(reason, now, entry=entry)
            case Forbidden(refused=refused, entry=entry):
                flow.refused(refused, entry=entry)

    async def _ask_consent(self, action: Authorize) -> None:
        request, flow = action.request, self.flow
        self._journal.redactor.learn(request.state.reveal())
        self._journal.redactor.learn(request.verifier.reveal())
        if self._consent is None:
            flow.given_up("nobody listens for the redirect")
            return
        self._wait_for("consent")
        await self._consent.fetch(
            request.url(), lambda redirect: flow.redirected(redirect, self._clock())
        )
        if flow.action is action:
            flow.given_up("no redirect came back from the browser")
        await self._close_consent()

    async def _close_consent(self) -> None:
        consent, self._consent = self._consent, None
        if consent is not None:
            await consent.close()

    def _wait_for(self, what: Waiting) -> None:
        self.waiting_for = what
        self._tell()

    def _tell(self) -> None:
        """Journals the steps that are new or went on, and lets the screen look."""
        for index, step in enumerate(self.flow.steps):
            before = self._told[index] if index < len(self._told) else None
            if before is None or before.state != step.state or before.stage is not step.stage:
                self._journal.event("oauth", _step_facts(step), connection=self._connection)
        self._told = self.flow.steps
        self._changed()


def _step_facts(step: StepRecord) -> JsonObject:
    found: list[Json] = [[name, value] for name, value in step.found]
    remarks: list[Json] = [remark.message for remark in step.remarks]
    entries: list[Json] = list(step.entries)
    facts: JsonObject = {
        "stage": step.stage.value,
        "state": step.state,
        "words": words_of(step),
        "url": step.where,
        "source": step.source,
        "found": found,
        "remarks": remarks,
        "entries": entries,
    }
    return {name: value for name, value in facts.items() if value not in ("", [])}


def words_of(step: StepRecord) -> str:
    """One line about a step."""
    said = [*(f"{name}: {value}" for name, value in step.found)]
    if step.state == "failed":
        said += [remark.message for remark in step.remarks]
    return "; ".join(said)
