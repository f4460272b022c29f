"""Judges the bytes that reached a terminal: what in them is not ours?

A list of the sequences that the interface itself uses; whatever else stands in the output is
foreign, be it an escape sequence, a control character or one that is not seen.
"""

import re
import unicodedata

OURS = re.compile(
    rb"\x1b\[[0-9;]*m|\x1b\[[0-9;]*H|\x1b\[2J|\x1b\[[<>][0-9]*u"
    rb"|\x1b\[\?(?:7|25|1000|1003|1004|1006|1015|1016|1049|2004|2026|2048)[hl]"
    rb"|\x1b\[\?(?:2026|2048)\$p|\x1b\]22;[a-z-]+\x07"
)
"""Everything that the interface may say to a terminal: colours, places, modes, pointer shapes."""


def foreign(output: bytes) -> list[str]:
    """What in the output is neither text that is seen nor a sequence of ours."""
    found = [repr(one) for one in re.findall(rb"\x1b[^\x1b]{0,20}", OURS.sub(b"", output))]
    shown = OURS.sub(b"", output).replace(b"\x1b", b"").decode("utf-8", "replace")
    for place, sign in enumerate(shown):
        hidden = unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        if (hidden and sign not in "\r\n") or 0xFE00 <= ord(sign) <= 0xFE0F:
            found.append(f"U+{ord(sign):04X} in {shown[max(0, place - 20) : place + 10]!r}")
    return found
