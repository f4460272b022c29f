"""The authorization of one MCP server: which token goes out now, and what happens when it is
refused.

Decides that whatever N requests need is done once, by whoever comes first: one refresh, one flow,
at most one browser for what the user did. Nothing is held while an MCP request is in the air. The
steps of a flow are `driving`, what becomes of tokens is `holding`.
"""

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import replace
from typing import Final

from inspector.auth.actions import Failed, Finished, Stage
from inspector.auth.attempt import Asks, Attempt
from inspector.auth.challenge import BearerChallenge, parse_challenges
from inspector.auth.driving import Driver
from inspector.auth.flow import Flow
from inspector.auth.grant import Profile
from inspector.auth.holding import Holding
from inspector.auth.job import Jobs, Spawn, again
from inspector.auth.metadata import CODE_GRANT
from inspector.auth.person import Consent, Person
from inspector.auth.policy import perimeter
from inspector.auth.renewal import can_renew
from inspector.auth.scopes import StepUp
from inspector.auth.secret import Secret
from inspector.auth.sending import Sender
from inspector.auth.situation import AuthState, Phase, facts_of
from inspector.auth.store import Store
from inspector.errors import ConnectionFailed, InspectorError
from inspector.journal.journal import Journal

LAST_RENEWAL_SECONDS: Final = 2.0
"""How long the end waits for a refresh that is in the air: a rotated token would be lost."""


class Authority:
    """All that concerns tokens of one MCP server. Lives across reconnects; one event loop.

    `state` may be read from any thread; `on_change` is called on the loop.
    """

    def __init__(
        self,
        profile: Profile,
        journal: Journal,
        *,
        store: Store,
        person: Person,
        spawn: Spawn,
        clock: Callable[[], float] = time.time,
        random: Callable[[int], bytes] = os.urandom,
        sender: Sender | None = None,
    ) -> None:
        """`spawn` starts a task in a group of the owner's."""
        self.server_url = profile.server_url
        self.on_change: Callable[[], None] = lambda: None
        self._profile = profile
        self._journal = journal
        self._person = person
        self._jobs = Jobs(spawn, self._flow_given_up)
        self._clock = clock
        self._random = random
        within = perimeter(profile.server_url, private_allowed=profile.private_allowed)
        self._sender = sender or Sender(within, journal)
        self._held = Holding(
            profile, journal, store=store, sender=self._sender, clock=clock, random=random
        )
        self._flow: Flow | None = None
        self._unproven: tuple[Secret, int] | None = None
        self._failed_in: tuple[int, InspectorError] | None = None
        self._spared: dict[int, InspectorError] = {}
        self._state = AuthState()

    @property
    def state(self) -> AuthState:
        """How it stands now."""
        grant = self._held.grant
        facts = facts_of(grant, self._clock(), place=self._held.store.place) if grant else ()
        clean = self._held.clean
        return replace(self._state, facts=tuple((name, clean(value)) for name, value in facts))

    @property
    def settled(self) -> bool:
        """Whether `credential` answers at once."""
        grant, now = self._held.grant, self._clock()
        if grant is None:
            return self._held.loaded
        return not grant.tokens.is_expired(now) or not can_renew(grant, now)

    # What the transports ask -------------------------------------------------------------------

    async def credential(self, connection: int = 0) -> Secret | None:
        """The token to send now, refreshed where it has run out; None to send without one. Raises
        ConnectionFailed where it has run out and the refresh has to wait."""
        await self._load()
        grant = self._held.grant
        if grant is None or self.settled:
            return grant.tokens.access if grant is not None else None
        job = self._jobs.current or self._jobs.start(False, lambda: self._held.renew(connection))
        if not job.is_flow:
            try:
                await self._jobs.join(job)
            except ConnectionFailed:
                ends = grant.tokens.expires_at
                if ends is None or self._clock() >= ends:
                    raise
        return self._held.grant.tokens.access if self._held.grant is not None else None

    def accepted(self, sent: Secret | None) -> None:
        """The server answered a request that carried this token with something else than 401."""
        if self._unproven is not None and self._unproven[0] == sent:
            self._unproven = None
        grant = self._held.grant
        if self._state.phase == "stored" and grant is not None and grant.tokens.access == sent:
            self._publish(replace(self._state, phase="authorized"))

    def spare(self, connection: int, error: InspectorError) -> None:
        """Nobody is asked in that connection: what they did has ended in `error` before."""
        self._spared[connection] = error

    async def refused(
        self,
        status: int,
        challenges: Iterable[str],
        sent: Secret | None,
        connection: int,
        attempt: Attempt,
    ) -> bool:
        """The server refused a request with 401, or with 403 for want of scopes: whether to send
        it again now. Raises ConnectionFailed (kind "auth") where there is no way to a token."""
        parsed = parse_challenges(challenges)
        challenge = parsed.bearer
        if challenge is None and parsed.resource_metadata is not None:
            challenge = BearerChallenge(resource_metadata=parsed.resource_metadata)
        scope = challenge.scope if challenge is not None else None
        if challenge is not None and scope and self._held.clean(scope) != scope:
            challenge = replace(challenge, scope=None)  # it repeats a secret: not to be asked for
        if status == 403 and sent is not None and challenge and challenge.insufficient_scope:
            return await self._more_scopes(challenge, sent, connection, attempt)
        if status != 401 or (parsed.challenges and challenge is None):
            return False  # it wants something else than a token: Basic, Negotiate
        await self._load()
        while True:
            grant, job, news = self._held.grant, self._jobs.current, self._held.news
            if grant is not None and grant.tokens.access != sent:
                return True
            if job is not None and (not job.is_flow or self._may_ask(attempt)):
                attempt.asked = attempt.asked or job.is_flow
                attempt.renewed = attempt.renewed or not job.is_flow
                await self._jobs.join(job)
            elif attempt.asked or self._unproven == (sent, connection):
                raise self._refused_at_once(connection)
            elif (
                job is None
                and grant is not None
                and not attempt.renewed
                and can_renew(grant, self._clock())
            ):
                self._jobs.start(False, lambda: self._held.renew(connection))
            elif job is None and self._may_ask(attempt):
                self._not_again(connection)
                if self._failed_in is not None and self._failed_in[0] == connection:
                    raise again(self._failed_in[1])
                self._jobs.start(True, lambda: self._authorize(connection, challenge, None))
            elif attempt.asks is Asks.LATER:
                await news.wait()
            else:
                return False

    async def _more_scopes(
        self, challenge: BearerChallenge, sent: Secret, connection: int, attempt: Attempt
    ) -> bool:
        while True:
            grant, job = self._held.grant, self._jobs.current
            if grant is None or grant.tokens.access != sent:
                return True
            if not self._may_ask(attempt):
                return False
            if job is None:
                break
            await self._jobs.join(job)
        self._not_again(connection)
        step = attempt.step_up(grant, challenge)
        if step is None:
            return False
        await self._jobs.join(
            self._jobs.start(True, lambda: self._authorize(connection, challenge, step))
        )
        return True

    # What the user asks ------------------------------------------------------------------------

    async def login(self, connection: int = 0) -> None:
        """Gets a token now, from discovery on. Raises ConnectionFailed where there is none in the
        end, and InspectorError where it could not be stored."""
        await self._load()
        while (job := self._jobs.current) is not None and not job.is_flow:
            await self._jobs.wait(job)
        self._failed_in = None
        await self._jobs.join(
            job or self._jobs.start(True, lambda: self._authorize(0, None, None, connection))
        )
        if self._held.problem:
            raise InspectorError(self._held.problem, kind="auth", fault="config")

    async def retry(self, connection: int = 0) -> None:
        """Goes on from the step at which the last flow failed; from the beginning where what went
        wrong was no step of it (a token that the MCP server refuses)."""
        flow = self._flow
        if self._jobs.current is None and not (flow and isinstance(flow.action, Failed)):
            await self.login(connection)
            return
        if self._jobs.current is None and flow is not None and isinstance(flow.action, Failed):
            self._failed_in = None
            flow.retry(self._clock())
            self._jobs.start(True, lambda: self._drive(flow, connection, None))
        if self._jobs.current is not None:
            await self._jobs.join(self._jobs.current)

    def cancel(self) -> None:
        """Gives up the flow that is under way; whoever waits for it is told."""
        if (job := self._jobs.current) is not None and job.is_flow:
            self._jobs.give_up(job)

    async def close(self) -> None:
        """Ends what is under way. Bounded."""
        self.cancel()
        if (job := self._jobs.current) is not None:
            await self._jobs.wait(job, LAST_RENEWAL_SECONDS)

    async def logout(self, connection: int = 0) -> tuple[str, ...]:
        """Revokes the tokens where the server can do that, then deletes them; what was done, in
        words. Raises InspectorError where they could not be deleted."""
        self.cancel()
        await self._load()
        while (job := self._jobs.current) is not None:
            await self._jobs.wait(job)  # a refresh that is in the air would bring a token back
        done: list[str] = []
        job = self._jobs.start(False, lambda: self._end(done, connection))
        await self._jobs.wait(job)
        if job.error is not None:
            raise job.error
        self._flow = self._unproven = self._failed_in = None
        self._publish(AuthState())
        return tuple(done)

    # Work that is done once --------------------------------------------------------------------

    async def _authorize(
        self,
        failing_counts_in: int,
        challenge: BearerChallenge | None,
        step: StepUp | None,
        connection: int | None = None,
    ) -> InspectorError | None:
        """A flow from its beginning."""
        connection = failing_counts_in if connection is None else connection
        consent: Consent | None = None
        try:
            if step is not None:
                self._publish(replace(self._state, phase="waiting", waiting_for="scopes"))
                if not await self._person.confirm_scopes(step):
                    raise ConnectionFailed(
                        "more scopes were not asked for, as you wished",
                        hint="call again to be asked again",
                        kind="auth",
                        fault="you",
                    )
            if self._profile.grant == CODE_GRANT:
                consent = self._person.consent()
        except InspectorError as reason:
            self._publish(replace(self._state, phase=self._calm(), waiting_for=""))
            return reason
        self._flow = Flow(
            self._profile,
            challenge=challenge,
            stored_client=self._held.stored_client,
            random=self._random,
            known=self._held.grant,
            step_up=step,
        )
        error = await self._drive(self._flow, connection, consent)
        if error is not None and step is None and failing_counts_in:
            self._failed_in = (failing_counts_in, error)
        return error

    async def _drive(
        self, flow: Flow, connection: int, consent: Consent | None
    ) -> InspectorError | None:
        driver = Driver(
            flow,
            sender=self._sender,
            person=self._person,
            journal=self._journal,
            connection=connection,
            clock=self._clock,
            consent=consent,
            keep_client=self._held.keep_client,
            changed=lambda: self._show_flow(flow, driver),
        )
        end = await driver.run()
        if isinstance(end, Finished):
            await self._held.take(end.grant)
            self._unproven = (end.grant.tokens.access, connection)
            self._failed_in = None
            self._show_flow(flow)
            return None
        if flow.doubted is not None:
            await asyncio.to_thread(self._held.drop_client, flow.doubted)
        self._show_flow(flow)
        return self._error_of(end)

    async def _end(self, done: list[str], connection: int) -> InspectorError | None:
        """Revokes and deletes; what was done goes into `done`."""
        held, url = self._held, self.server_url
        try:
            async with held.store.turn(url) if held.grant is not None else nullcontext():
                await held.look_again()
                done += await held.revoke(connection)
                removed = await asyncio.to_thread(held.store.forget, url)
        except InspectorError as error:
            return error
        done.append(f"deleted from {held.store.place}" if removed else "nothing was stored")
        held.forget()
        return None

    # Words -------------------------------------------------------------------------------------

    async def _load(self) -> None:
        await self._held.load()
        if self._held.grant is not None and self._state.phase == "none":
            self._publish(replace(self._state, phase="stored"))

    def _may_ask(self, attempt: Attempt) -> bool:
        return attempt.asks is Asks.PERSON or self._profile.grant != CODE_GRANT

    def _not_again(self, connection: int) -> None:
        if (error := self._spared.get(connection)) is not None:
            raise again(error)

    def _calm(self) -> Phase:
        return "authorized" if self._held.grant is not None else "none"

    def _error_of(self, failed: Failed) -> ConnectionFailed:
        clean = self._held.clean
        hint = clean(failed.hint) or "the events named oauth in the traffic list show each step"
        return ConnectionFailed(clean(failed.message), hint=hint, kind="auth", fault=failed.fault)

    def _refused_at_once(self, connection: int) -> ConnectionFailed:
        failed = Failed(
            Stage.TOKEN,
            "token-refused",
            "the server refuses the token that was issued for it just now (HTTP 401)",
            "it may want another audience or issuer: compare its metadata with the token's server",
        )
        error = self._error_of(failed)
        self._failed_in = (connection, error)
        self._publish(replace(self._state, phase="failed", error=failed))
        return error

    def _show_flow(self, flow: Flow, driver: Driver | None = None) -> None:
        action = flow.action
        phase: Phase = "running"
        if isinstance(action, Failed):
            phase = "failed"
        elif isinstance(action, Finished):
            phase = "authorized" if self._held.grant is not None else "running"
        elif driver is not None and driver.waiting_for:
            phase = "waiting"
        self._publish(
            AuthState(
                phase,
                flow.steps,
                driver.waiting_for if driver is not None else "",
                error=action if isinstance(action, Failed) else None,
                problem=self._held.problem,
            )
        )

    def _flow_given_up(self) -> None:
        if self._flow is not None:
            self._flow.given_up("it was given up")
            if self._flow.doubted is not None:
                self._held.drop_client(self._flow.doubted)
            self._show_flow(self._flow)

    def _publish(self, state: AuthState) -> None:
        self._state = state
        self.on_change()
