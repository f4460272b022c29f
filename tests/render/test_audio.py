"""Sound is described from its headers."""

import struct

from hypothesis import given
from hypothesis import strategies as st

from inspector.render.audio import audio_facts


def test_known_formats_are_named() -> None:
    assert audio_facts(b"ID3....").format == "MP3"
    assert audio_facts(b"\xff\xfb\x90\x00").format == "MP3"
    assert audio_facts(b"\0\0\0\x20ftypM4A ").format == "MP4"
    assert audio_facts(b"\x1aE\xdf\xa3").format == "WebM"
    assert audio_facts(b"what?").words == "unknown format"


def test_a_wav_stream_of_unknown_length_counts_what_came() -> None:
    head = b"RIFF\xff\xff\xff\xffWAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 2, 100, 400, 4, 16)
    facts = audio_facts(head + b"data\xff\xff\xff\xff" + b"\0" * 800)
    assert facts.words == "WAV 2.0 s 100 Hz stereo"


def test_flac_and_ogg_tell_their_length() -> None:
    packed = (8000 << 44) | (1 << 41) | (15 << 36) | 4000
    flac = b"fLaC" + b"\0" * 14 + packed.to_bytes(8, "big")
    assert audio_facts(flac).words == "FLAC 0.5 s 8000 Hz stereo"
    page = b"OggS\0\0" + struct.pack("<q", 48_000) + b"\0" * 14
    assert audio_facts(page + b"OpusHead\x01\x01").words == "Ogg Opus 1.0 s 48000 Hz mono"


@given(st.sampled_from([b"RIFF0000WAVE", b"fLaC", b"OggS", b"ID3", b""]), st.binary(max_size=80))
def test_anything_is_described(head: bytes, rest: bytes) -> None:
    assert audio_facts(head + rest).words
