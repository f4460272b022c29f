"""`python -m inspector.demo`: serves the demo, or says what is missing for it."""

import importlib.util
import sys


def main() -> None:
    """Exits with status 3 and the command that helps where the official SDK is not installed."""
    if importlib.util.find_spec("mcp") is None:
        print(
            "the demo server needs the official MCP SDK: pip install 'mcp-inspect[demo]'",
            file=sys.stderr,
        )
        raise SystemExit(3)
    from inspector.demo.server import main as serve

    try:
        serve()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
