"""Pictures are judged by their header and refused unopened."""

import io
import struct
import zlib

from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from inspector.render.picture import BYTES_CAP, DRAWN_SIZE, picture_facts, small_picture
from tests.scaled import scaled


def png(width: int, height: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGBA", (width, height), (255, 0, 0, 128)).save(file, "PNG")
    return file.getvalue()


def promised_png(width: int, height: int) -> bytes:
    """A PNG whose header promises any size, with nearly nothing behind it."""

    def chunk(name: bytes, body: bytes) -> bytes:
        crc = zlib.crc32(name + body)
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", crc)

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0" * 100))


def test_facts_come_from_the_header() -> None:
    facts = picture_facts(png(30, 20))
    assert (facts.format, facts.width, facts.height, facts.problem) == ("PNG", 30, 20, "")
    assert facts.words == "PNG 30x20"


def test_too_many_pixels_are_not_decoded() -> None:
    facts = picture_facts(promised_png(5000, 5000))
    assert "megapixels" in facts.problem
    assert small_picture(promised_png(5000, 5000)) == facts.problem


def test_a_bomb_is_refused() -> None:
    assert picture_facts(promised_png(60_000, 60_000)).problem
    assert picture_facts(b"\0" * (BYTES_CAP + 1)).problem.startswith("larger than")


def test_a_torn_picture_gives_a_reason() -> None:
    torn = promised_png(100, 100)
    assert picture_facts(torn).problem == ""
    assert isinstance(small_picture(torn), str)


def test_a_picture_with_a_damaged_profile_is_drawn_and_the_damage_told() -> None:
    whole = png(6, 4)
    damaged = struct.pack(">I", 4) + b"iCCP" + b"junk" + b"\0\0\0\0"
    facts = picture_facts(whole[:33] + damaged + whole[33:])
    assert (facts.problem, facts.remark) == ("", "wrong checksum in its iCCP chunk")
    assert not isinstance(small_picture(whole[:33] + damaged + whole[33:]), str)
    assert picture_facts(whole).remark == ""


def test_a_large_picture_is_shrunk_and_a_clear_one_gets_a_ground() -> None:
    drawn = small_picture(png(2000, 1000))
    assert not isinstance(drawn, str)
    assert drawn.size == (DRAWN_SIZE, DRAWN_SIZE // 2)
    assert drawn.mode == "RGB"


@settings(max_examples=scaled(200))
@given(st.data())
def test_damaged_pictures_never_raise(data: st.DataObject) -> None:
    whole = bytearray(png(8, 8))
    for _ in range(data.draw(st.integers(0, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    small_picture(bytes(whole[: data.draw(st.integers(0, len(whole)))]))


def test_a_jpeg_of_twenty_thousand_scans_is_not_decoded() -> None:
    """It took eleven seconds for 4 MB."""
    honest = io.BytesIO()
    Image.new("RGB", (3000, 3000)).save(honest, "JPEG", progressive=True)
    data = honest.getvalue()
    assert not isinstance(small_picture(data), str)
    scan = data[data.index(b"\xff\xda") : -2]
    bomb = data[:-2] + scan[:200] * 20_000 + data[-2:]
    assert picture_facts(bomb).format == "JPEG"
    told = small_picture(bomb)
    assert isinstance(told, str)
    assert told.endswith("scans, not decoded")
