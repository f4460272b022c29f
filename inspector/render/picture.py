"""Pictures of a server: what they are, judged before anything is decoded, and small ones to draw.

The caps hold for what the header promises, so a bomb is refused unopened. How a picture gets onto
the screen is decided by the widgets.
"""

import io
import struct
import warnings
import zlib
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

BYTES_CAP: Final = 32 * 1024 * 1024
PIXELS_CAP: Final = 16_000_000
SCANS_CAP: Final = 16
"""Scans of a progressive JPEG that any picture may have; more of them only where the picture is so
small that all are no more work than `SCANNED_CAP` pixels: a scan may be a few bytes long."""
SCANNED_CAP: Final = 100_000_000
_SCAN: Final = b"\xff\xda"
DRAWN_SIZE: Final = 800
"""Width and height in pixels to which a picture is shrunk for drawing."""

FORMATS: Final = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "ICO")
"""What is opened at all; other decoders never see bytes of a server."""


@dataclass(frozen=True, slots=True)
class PictureFacts:
    """What a picture's header says. `problem` is why it cannot be drawn ("" where it can),
    `remark` what is wrong with it although it can."""

    format: str = ""
    width: int = 0
    height: int = 0
    moving: bool = False
    problem: str = ""
    remark: str = ""

    @property
    def words(self) -> str:
        """The facts in a few words, e.g. `PNG 640x480`."""
        moving = " animated" if self.moving else ""
        return f"{self.format} {self.width}x{self.height}{moving}" if self.format else ""


def picture_facts(data: bytes) -> PictureFacts:
    """Reads the header only. Never raises."""
    if len(data) > BYTES_CAP:
        return PictureFacts(problem=f"larger than {BYTES_CAP >> 20} MiB, not opened")
    plain, remark = plain_png(data)
    try:
        image = _open(plain)
        moving = bool(getattr(image, "is_animated", False))
        facts = PictureFacts(image.format or "", *image.size, moving, remark=remark)
    except _unreadable() as error:
        return PictureFacts(problem=f"cannot be read as a picture: {_words(error)}")
    if facts.width * facts.height > PIXELS_CAP:
        megapixels = facts.width * facts.height / 1e6
        return PictureFacts(
            facts.format,
            facts.width,
            facts.height,
            facts.moving,
            f"{megapixels:.0f} megapixels, not decoded (limit {PIXELS_CAP // 1_000_000})",
        )
    scans = data.count(_SCAN) if facts.format == "JPEG" else 0
    if scans > SCANS_CAP and scans * max(facts.width * facts.height, 100_000) > SCANNED_CAP:
        return replace(facts, problem=f"{scans:,} scans, not decoded")
    return facts


def small_picture(data: bytes) -> "Image | str":
    """The picture, shrunk for drawing, on a plain ground; or why there is none. Never raises.

    May take a second for a large one: call it in a thread.
    """
    facts = picture_facts(data)
    if facts.problem:
        return facts.problem
    from PIL import Image

    try:
        image = _open(plain_png(data)[0])
        image.draft("RGB", (DRAWN_SIZE, DRAWN_SIZE))
        image.load()
        clear = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
        mode = "RGBA" if clear else "RGB"
        drawn = image if image.mode == mode else image.convert(mode)
        drawn.thumbnail((DRAWN_SIZE, DRAWN_SIZE), Image.Resampling.BILINEAR)
        if not clear:
            return drawn
        ground = Image.new("RGBA", drawn.size, (128, 128, 128, 255))
        return Image.alpha_composite(ground, drawn).convert("RGB")
    except _unreadable() as error:
        return f"cannot be decoded: {_words(error)}"


_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"


def plain_png(data: bytes) -> tuple[bytes, str]:
    """A PNG with nothing but what its pixels need, and a remark on what was broken in the rest.

    Browsers draw pictures whose colour profile or texts are damaged, which Pillow refuses; and
    what is not needed should not be decoded. Other formats come back as they are.
    """
    if not data.startswith(_SIGNATURE):
        return data, ""
    kept, remark, at = [_SIGNATURE], "", len(_SIGNATURE)
    while at + 12 <= len(data):
        (size,) = struct.unpack_from(">I", data, at)
        name, end = data[at + 4 : at + 8], at + 12 + size
        if name[:1].isupper() or name == b"tRNS":
            kept.append(data[at:end])
        elif data[end - 4 : end] != zlib.crc32(data[at + 4 : end - 4]).to_bytes(4, "big"):
            remark = remark or f"wrong checksum in its {name.decode('ascii', 'replace')} chunk"
        at = end
    return b"".join(kept) + data[at:], remark


def _open(data: bytes) -> "Image":
    from PIL import Image

    with warnings.catch_warnings():
        # The caps above are stricter than Pillow's; its warning would land on the screen.
        warnings.simplefilter("ignore")
        return Image.open(io.BytesIO(data), formats=FORMATS)


def _words(error: BaseException) -> str:
    return type(error).__name__ if isinstance(error, OSError) or not str(error) else str(error)


@cache
def _unreadable() -> tuple[type[Exception], ...]:
    """What Pillow's decoders are known to raise on damaged or forged files."""
    from PIL import Image

    return (
        Image.DecompressionBombError,
        OSError,
        ValueError,
        SyntaxError,
        TypeError,
        LookupError,
        AttributeError,
        EOFError,
        ArithmeticError,
        MemoryError,
        struct.error,
        RuntimeError,
    )
