"""Work that is done once for all who wait for it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine

import pytest

from inspector.auth.job import Job, Jobs, again
from inspector.errors import ConnectionFailed, InspectorError, UsageError


class Bench:
    """Jobs whose work lasts until `go`, and ends with `error`."""

    def __init__(self, group: asyncio.TaskGroup) -> None:
        self.go = asyncio.Event()
        self.error: InspectorError | None = None
        self.ran = 0
        self.given_up = 0
        self.jobs = Jobs(group.create_task, self._given_up)

    def _given_up(self) -> None:
        self.given_up += 1

    async def work(self) -> InspectorError | None:
        await self.go.wait()
        self.ran += 1
        return self.error


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with asyncio.TaskGroup() as group:
        made = Bench(group)
        yield made
        made.go.set()


async def _settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_all_who_wait_get_what_was_done_once(bench: Bench) -> None:
    job = bench.jobs.start(True, bench.work)
    async with asyncio.TaskGroup() as group:
        for _ in range(5):
            group.create_task(bench.jobs.join(job))
        bench.go.set()
    assert bench.ran == 1
    assert bench.jobs.current is None


async def test_each_gets_an_error_of_its_own(bench: Bench) -> None:
    bench.error = ConnectionFailed("no", hint="try", kind="auth", fault="network")
    bench.go.set()
    job = bench.jobs.start(False, bench.work)
    ends = await asyncio.gather(bench.jobs.join(job), bench.jobs.join(job), return_exceptions=True)
    assert [type(end) for end in ends] == [ConnectionFailed] * 2
    assert ends[0] is not ends[1]
    assert isinstance(ends[0], ConnectionFailed)
    assert (ends[0].message, ends[0].hint, ends[0].fault) == ("no", "try", "network")


@pytest.mark.parametrize("is_flow", [True, False])
async def test_a_flow_that_nobody_waits_for_is_given_up_and_a_refresh_is_not(
    bench: Bench, is_flow: bool
) -> None:
    async with asyncio.TaskGroup() as group:
        job = bench.jobs.start(is_flow, bench.work)
        one = group.create_task(bench.jobs.join(job))
        other = group.create_task(bench.jobs.join(job))
        await _settle()
        one.cancel()
        await _settle()
        assert bench.given_up == 0
        other.cancel()
    await _settle()
    bench.go.set()
    await bench.jobs.wait(job)
    assert bench.given_up == (1 if is_flow else 0)
    assert bench.ran == (0 if is_flow else 1)


async def test_who_waits_for_what_is_given_up_is_told(bench: Bench) -> None:
    job = bench.jobs.start(True, bench.work)
    async with asyncio.TaskGroup() as group:
        joined = group.create_task(_error(bench.jobs, job))
        await _settle()
        bench.jobs.give_up(job)
        assert bench.jobs.current is None  # the next one begins anew
    error = joined.result()
    assert (error.kind, error.fault) == ("auth", "you")
    bench.jobs.give_up(job)  # it is over: nothing happens
    assert bench.given_up == 1


async def _error(jobs: Jobs, job: Job) -> ConnectionFailed:
    with pytest.raises(ConnectionFailed) as caught:
        await jobs.join(job)
    return caught.value


async def test_a_job_that_its_owner_ends_counts_as_given_up(bench: Bench) -> None:
    job = bench.jobs.start(False, bench.work)
    await _settle()
    assert job.task is not None
    job.task.cancel()
    assert (await _error(bench.jobs, job)).message == "the authorization was given up"


async def test_where_no_task_can_be_started_there_is_no_job() -> None:
    def full(work: Coroutine[object, object, None]) -> None:
        work.close()

    async def nothing() -> None:
        return None

    jobs = Jobs(full, lambda: None)
    with pytest.raises(ConnectionFailed):
        jobs.start(True, nothing)
    assert jobs.current is None


def test_any_failure_is_one_of_authorization_for_those_who_wait() -> None:
    assert again(UsageError("x", hint="y")).kind == "auth"
