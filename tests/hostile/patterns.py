"""Every regular expression of our modules, tried on texts that are made to hang it.

Run as a program: prints each expression and how it is used before it is tried, and dies by its own
timer (of time computed, not of time passed) at one that takes too long. Decides how a use is told:
by the name in the text of its module, else in that of all.
"""

import importlib
import pkgutil
import re
import signal
import sys
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Final

import inspector

LENGTH: Final = 8_000
SECONDS: Final = 0.05
"""Of computing on one text: what is linear takes a hundredth of that."""
METHODS: Final = ("search", "match", "fullmatch", "sub", "finditer", "findall", "split")
ALWAYS: Final = 'a0 \n"\\{'


def expressions() -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    """The compiled ones of all modules, by name, each once."""
    seen: set[tuple[object, int]] = set()
    for found in pkgutil.walk_packages(inspector.__path__, "inspector."):
        if found.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(found.name)).items():
            for one in _within(value):
                if (one.pattern, one.flags) not in seen:
                    seen.add((one.pattern, one.flags))
                    yield f"{found.name}.{name}", one


def _within(value: object) -> Iterator[re.Pattern[str] | re.Pattern[bytes]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list | frozenset):
        for one in value:
            yield from _within(one)
    elif isinstance(value, dict):
        yield from _within([*value.values()])


def texts(source: str) -> Iterator[str]:
    """What may hang an expression: its own letters and words again and again, and an end that does
    not fit."""
    letters = sorted({*ALWAYS, *(one for one in source if one.isprintable())})
    signs = ["a", *[one for one in letters if not one.isalnum() and one in source][:4]]
    words = re.findall(r"[A-Za-z0-9:/=]{2,}", source)[:6]
    once = [one * LENGTH for one in letters]
    once += [(one + two) * (LENGTH // 2) for one, two in permutations(signs, 2)]
    once += [word * (LENGTH // len(word)) for word in words]
    once += [word + one * LENGTH for word in words[:3] for one in " a"]
    yield from (one + "\x00" for one in once)


def main() -> None:
    """Tries all of them."""
    written = "\n".join(path.read_text() for path in Path(inspector.__path__[0]).rglob("*.py"))
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    for name, one in expressions():
        module, _, last = name.rpartition(".")
        use = rf"\b{re.escape(last)}(?:\[[^\]]*\])?\.({'|'.join(METHODS)})\b"
        own = Path(str(sys.modules[module].__file__)).read_text()
        used = {*re.findall(use, own)} or {*re.findall(use, written)} or {"fullmatch"}
        source = one.pattern if isinstance(one.pattern, str) else one.pattern.decode("latin-1")
        for method in sorted(used):
            sys.stdout.write(f"{name}.{method}\n")
            sys.stdout.flush()
            for text in texts(source):
                signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
                _tried(one, method, text)
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    sys.stdout.write("done\n")


def _tried(one: re.Pattern[str] | re.Pattern[bytes], method: str, text: str) -> None:
    value = text if isinstance(one.pattern, str) else text.encode("latin-1", "replace")
    use = getattr(one, method)
    if method == "sub":
        use(value[:0], value)
    elif method == "finditer":
        for _ in use(value):
            pass
    else:
        use(value)


if __name__ == "__main__":
    main()
