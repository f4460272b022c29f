"""The ends of a pipe as asyncio protocols."""

import asyncio
import os

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


def test_a_writer_that_was_never_connected_is_gone() -> None:
    writer = Writer()
    assert writer.gone
    assert writer.buffered == 0
    writer.write(b"nothing happens")
    writer.close()
    writer.abandon()
