"""What a terminal was switched to, judged from the bytes that it was sent: per mode, the last word.

Decides what counts as switched (private modes, keyboard protocol, colours, cursor, pointer, scroll
region, character sets, links, titles) and in which state a terminal begins. Whether a program left
it so is asked by the tests of exits.
"""

import re
from typing import Final

BEGINS_ON: Final = frozenset({7, 25})
"""Private modes that are on in a terminal that nobody has touched: line wrap, and the cursor."""

_SEQUENCE: Final = re.compile(
    rb"\x1b\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    rb"|\x1b[PX^_][^\x1b]*\x1b\\"
    rb"|\x1b\[(?P<lead>[?<>=]?)(?P<numbers>[0-9;:]*)(?P<between>[ -/]*)(?P<last>[@-~])"
    rb"|\x1b(?P<set>[()*+][0-9A-Za-z])"
    rb"|\x1b(?P<short>[ -/]*[0-~])"
    rb"|(?P<shift>[\x0e\x0f])"
)
_ALTERNATE: Final = (47, 1047, 1049)


class Modes:
    """The state of a terminal after some output. `left_on()` is empty where it is as in the
    beginning."""

    def __init__(self, output: bytes = b"") -> None:
        self.private: dict[int, bool] = {}
        self.keyboards = {"main": 0, "alternate": 0}
        """How many keyboard protocols are pushed, per screen: each has a stack of its own."""
        self.other: dict[str, str] = {}
        self.feed(output)

    def feed(self, output: bytes) -> None:
        """More output, in whole sequences."""
        for found in _SEQUENCE.finditer(output):
            if found["osc"] is not None:
                self._osc(found["osc"])
            elif found["last"] is not None:
                numbers = [int(one) for one in re.findall(rb"\d+", found["numbers"])]
                self._csi(
                    found["lead"].decode(), numbers, (found["between"] + found["last"]).decode()
                )
            elif found["set"] is not None:
                chosen = found["set"].decode()
                self._set(f"character set {chosen[0]}", chosen[1:].replace("B", ""))
            elif found["short"] in (b"=", b">"):
                self._set("keypad", "application" if found["short"] == b"=" else "")
            elif found["shift"] is not None:
                self._set("shift", "out" if found["shift"] == b"\x0e" else "")

    @property
    def alternate(self) -> bool:
        """Whether the alternate screen is shown."""
        return any(self.private.get(mode, False) for mode in _ALTERNATE)

    def left_on(self) -> list[str]:
        """What differs from the beginning, in words."""
        differing = [
            f"?{mode} {'on' if on else 'off'}"
            for mode, on in sorted(self.private.items())
            if on is not (mode in BEGINS_ON)
        ]
        differing += [f"keyboard pushed on {name}" for name, n in self.keyboards.items() if n]
        return differing + [f"{name}: {value}" for name, value in self.other.items() if value]

    def _set(self, name: str, value: str) -> None:
        self.other[name] = value

    def _osc(self, text: bytes) -> None:
        number, _, value = text.partition(b";")
        match number:
            case b"0" | b"1" | b"2":
                self._set("title", value.decode("utf-8", "replace"))
            case b"8":
                self._set("link", value.partition(b";")[2].decode("utf-8", "replace"))
            case b"22":
                self._set("pointer", "" if value == b"default" else value.decode())
            case b"4" | b"10" | b"11" | b"12" if value != b"?":
                self._set(f"colour {number.decode()}", value.decode())
            case _ if number[:1] == b"1" and len(number) == 3:  # 104, 110 to 112 take it back
                self._set(f"colour {number[1:].decode().lstrip('0')}", "")

    def _csi(self, lead: str, numbers: list[int], last: str) -> None:
        match lead, last:
            case "?", "h" | "l":
                for mode in numbers:
                    self.private[mode] = last == "h"
            case ">", "u":
                self.keyboards[self._screen] += 1
            case "<", "u":
                pushed = self.keyboards[self._screen]
                self.keyboards[self._screen] = max(0, pushed - (numbers or [1])[0])
            case "=", "u":
                self._set("keyboard flags", str((numbers or [0])[0] or ""))
            case ">", "m":
                self._set("modified keys", "on" if numbers[1:] and numbers[1] else "")
            case "", "m":
                self._set("colours", "" if not numbers or numbers[-1] == 0 else str(numbers))
            case "", " q":
                self._set("cursor shape", str((numbers or [0])[0] or ""))
            case "", "r":
                self._set("scroll region", str(numbers or ""))
            case "", "h" | "l":
                self._set(f"mode {numbers}", "on" if last == "h" else "")

    @property
    def _screen(self) -> str:
        return "alternate" if self.alternate else "main"
