"""A picture and a sound made in code, so that the demo ships no files."""

import io
import math
import struct
import wave
import zlib


def picture(width: int, height: int) -> bytes:
    """A PNG of `width` x `height` pixels: a colour field with a light disc in it."""
    rows = bytearray()
    centre_x, centre_y, radius = width / 2, height / 2, min(width, height) / 3
    for y in range(height):
        rows.append(0)  # filter type of the row: none
        for x in range(width):
            inside = (x - centre_x) ** 2 + (y - centre_y) ** 2 < radius**2
            red = 245 if inside else 40 + 150 * x // max(1, width)
            green = 200 if inside else 60 + 100 * y // max(1, height)
            blue = 80 if inside else 160
            rows += bytes((red, green, blue))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = (
        _chunk(b"IHDR", header),
        _chunk(b"IDAT", zlib.compress(bytes(rows), 9)),
        _chunk(b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


def sound(seconds: float, hertz: float) -> bytes:
    """A WAV with one fading tone: mono, 8 kHz, 16 bit."""
    rate = 8000
    count = int(rate * seconds)
    samples = bytearray()
    for n in range(count):
        fade = 1 - n / max(1, count)
        samples += struct.pack("<h", int(12000 * fade * math.sin(2 * math.pi * hertz * n / rate)))
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(bytes(samples))
    return file.getvalue()
