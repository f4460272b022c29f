"""Sound of a server: its format and how long it plays, from headers alone.

Nothing is decoded or played. Formats that are not known here are named as unknown.
"""

import struct
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class AudioFacts:
    """What a sound is. `seconds` is None where the header does not tell."""

    format: str = ""
    seconds: float | None = None
    rate: int = 0
    channels: int = 0

    @property
    def words(self) -> str:
        """The facts in a few words, e.g. `WAV 1.5 s 44100 Hz stereo`."""
        parts = [self.format or "unknown format"]
        if self.seconds is not None:
            parts.append(f"{self.seconds:.1f} s")
        if self.rate:
            parts.append(f"{self.rate} Hz")
        if self.channels:
            parts.append({1: "mono", 2: "stereo"}.get(self.channels, f"{self.channels} channels"))
        return " ".join(parts)


def audio_facts(data: bytes) -> AudioFacts:
    """Reads the first headers only. Never raises."""
    try:
        if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
            return _wav(data)
        if data[:4] == b"fLaC":
            return _flac(data)
        if data[:4] == b"OggS":
            return _ogg(data)
        if data[:3] == b"ID3" or (len(data) > 1 and data[0] == 0xFF and data[1] & 0xE0 == 0xE0):
            return AudioFacts("MP3")
        if data[4:8] == b"ftyp":
            return AudioFacts("MP4")
        if data[:4] == b"\x1aE\xdf\xa3":
            return AudioFacts("WebM")
    except (struct.error, IndexError, ZeroDivisionError):
        return AudioFacts()
    return AudioFacts()


_CHUNKS: Final = 64
"""Chunks of a WAV file that are looked at before giving up."""


def _wav(data: bytes) -> AudioFacts:
    at, rate, channels, per_second = 12, 0, 0, 0
    for _ in range(_CHUNKS):
        name = data[at : at + 4]
        if len(name) < 4:
            break
        (size,) = struct.unpack_from("<I", data, at + 4)
        if name == b"fmt ":
            _, channels, rate, per_second = struct.unpack_from("<HHII", data, at + 8)
        elif name == b"data" and per_second:
            # A stream says 0xFFFFFFFF here; what has come is what there is.
            size = min(size, len(data) - at - 8)
            return AudioFacts("WAV", size / per_second, rate, channels)
        at += 8 + size + size % 2
    return AudioFacts("WAV", None, rate, channels)


def _flac(data: bytes) -> AudioFacts:
    packed = int.from_bytes(data[18:26], "big")
    rate, channels = packed >> 44, ((packed >> 41) & 7) + 1
    samples = packed & ((1 << 36) - 1)
    return AudioFacts("FLAC", samples / rate if samples else None, rate, channels)


def _ogg(data: bytes) -> AudioFacts:
    (last,) = struct.unpack_from("<q", data, data.rfind(b"OggS") + 6)
    if (at := data.find(b"\x01vorbis", 0, 200)) >= 0:
        channels, rate = struct.unpack_from("<BI", data, at + 11)
        return AudioFacts("Ogg Vorbis", last / rate if last > 0 else None, rate, channels)
    if (at := data.find(b"OpusHead", 0, 200)) >= 0:
        # Opus always counts in samples of 48 kHz (RFC 7845).
        return AudioFacts("Ogg Opus", last / 48_000 if last > 0 else None, 48_000, data[at + 9])
    return AudioFacts("Ogg")
