"""The picture and the sound are what they say they are."""

import io
import wave

import pytest
from PIL import Image

from inspector.demo.media import picture, sound


@pytest.mark.parametrize("size", [(1, 1), (96, 64), (3, 200)])
def test_the_picture_is_a_png_of_the_size_asked_for(size: tuple[int, int]) -> None:
    with Image.open(io.BytesIO(picture(*size))) as image:
        image.load()
        assert image.format == "PNG"
        assert image.size == size


def test_the_sound_is_a_wav_of_the_length_asked_for() -> None:
    with wave.open(io.BytesIO(sound(0.5, 440))) as file:
        assert file.getnframes() == 4000
        assert file.getframerate() == 8000
