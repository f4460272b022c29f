"""The entry point: `mcp-inspect` and `python -m inspector`.

Order matters here. The words are looked at with nothing imported, the first frame is on the screen,
and only then the command line's parser and the interface are loaded.
"""

import gc
import sys
import warnings

from inspector.cli import grammar, skeleton, streams


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    streams.complete()
    sys.unraisablehook = _say_nothing
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # they would stand on the screen
    gc.disable()  # while modules are loaded nothing is garbage; on again when the work begins
    words = grammar.take_apart(sys.argv[1:])
    try:
        if grammar.opens_interface(words):
            opens = words.command == "open"
            skeleton.paint(grammar.label(words), "opening" if opens else skeleton.CONNECTING)
        from inspector.cli.main import run

        code = run(words)
    except KeyboardInterrupt:
        skeleton.leave()
        code = 130
    sys.exit(code)


def _say_nothing(_: "sys.UnraisableHookArgs") -> None:
    """What goes wrong while a thing is thrown away is over, and its traceback may hold secrets."""


if __name__ == "__main__":
    main()
