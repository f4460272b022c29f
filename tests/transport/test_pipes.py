"""The ends of a pipe as asyncio protocols."""

import asyncio
import hashlib
import os
from contextlib import suppress

from inspector.transport.pipes import Reader, Writer


async def connected() -> tuple[Reader, Writer, list[bytes]]:
    chunks: list[bytes] = []
    reader, writer = Reader(chunks.append), Writer()
    read, write = os.pipe()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: reader, os.fdopen(read, "rb", 0))
    await loop.connect_write_pipe(lambda: writer, os.fdopen(write, "wb", 0))
    return reader, writer, chunks


async def test_bytes_arrive_in_order_and_the_end_is_told() -> None:
    reader, writer, chunks = await connected()
    writer.write(b"one ")
    writer.write(b"two")
    writer.close()
    async with asyncio.timeout(60):
        await reader.ended.wait()
    assert b"".join(chunks) == b"one two"
    assert writer.gone


async def test_a_chunk_of_many_lines_lets_others_have_their_turn_and_loses_nothing() -> None:
    """A server may write 65,000 empty lines at once; an end right behind them is told last."""
    taken = bytearray()
    turns: list[int] = []

    def take(chunk: bytes) -> None:
        assert not reader.ended.is_set()
        for _ in chunk:  # as long as lines take that become entries
            hashlib.sha256(bytes(2000)).digest()
        taken.extend(chunk)

    def turn() -> None:
        turns.append(len(taken))
        if not reader.ended.is_set():
            asyncio.get_running_loop().call_soon(turn)

    sent = b"\n" * 30_000 + b"last \r\n" * 300 + b"cut"
    reader = Reader(take)
    read, write = os.pipe()
    os.write(write, sent)
    os.close(write)
    await asyncio.get_running_loop().connect_read_pipe(lambda: reader, os.fdopen(read, "rb", 0))
    turn()
    async with asyncio.timeout(60):
        await reader.ended.wait()
    assert bytes(taken) == sent
    assert len({size for size in turns if 0 < size < len(sent)}) > 1


async def test_what_was_read_and_waits_is_handed_on_where_reading_is_abandoned() -> None:
    taken = bytearray()
    reader = Reader(taken.extend)
    reader._left = b"\n" * 1000
    reader.data_received(b"later\n")
    reader.abandon()
    assert bytes(taken) == b"\n" * 1000 + b"later\n"


async def test_a_full_pipe_is_not_ready_and_says_how_much_waits() -> None:
    _, writer = Reader(lambda chunk: None), Writer()
    read, write = os.pipe()
    loop = asyncio.get_running_loop()
    await loop.connect_write_pipe(lambda: writer, os.fdopen(write, "wb", 0))
    writer.write(b"x" * 1_000_000)
    assert not writer.ready.is_set()
    assert writer.buffered > 0
    os.close(read)
    async with asyncio.timeout(60):
        await writer.ready.wait()
    assert writer.gone
    writer.abandon()


async def test_abandoning_ends_both_and_may_be_repeated() -> None:
    reader, writer, _ = await connected()
    for _ in range(2):
        reader.abandon()
        writer.abandon()
    async with asyncio.timeout(60):
        await reader.ended.wait()
    assert writer.gone


async def test_what_is_closing_already_is_not_ended_twice() -> None:
    mistakes: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: mistakes.append(context))
    reader, writer, _ = await connected()
    writer.close()
    writer.abandon()
    async with asyncio.timeout(60):
        await reader.ended.wait()
    await asyncio.sleep(0)
    assert mistakes == []


async def test_a_full_pipe_that_is_resumed_says_so() -> None:
    resumed = asyncio.Event()
    writer = Writer(resumed.set)
    read, write = os.pipe()
    loop = asyncio.get_running_loop()
    await loop.connect_write_pipe(lambda: writer, os.fdopen(write, "wb", 0))
    writer.write(b"x" * 1_000_000)
    os.set_blocking(read, False)
    async with asyncio.timeout(60):
        while not resumed.is_set():
            with suppress(BlockingIOError):
                os.read(read, 65536)
            await asyncio.sleep(0)
    assert writer.ready.is_set()
    os.close(read)
    writer.abandon()


def test_a_writer_that_was_never_connected_is_gone() -> None:
    writer = Writer()
    assert writer.gone
    assert writer.buffered == 0
    writer.write(b"nothing happens")
    writer.close()
    writer.abandon()
