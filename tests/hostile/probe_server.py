"""A stdio server that writes down what it was born with: `probe_server.py FILE`, then serves.

Environment, open descriptors, folder, umask, signals, session and terminal go as JSON into the
file. Standard library only.
"""

import json
import os
import sys


def signals() -> dict[str, str]:
    """What is blocked and what is ignored, as masks."""
    with open("/proc/self/status", encoding="ascii") as status:
        lines = (line.split() for line in status)
        return {line[0].rstrip(":"): line[1] for line in lines if line[0] in ("SigBlk:", "SigIgn:")}


def terminal() -> str:
    """Whether there is one to write to."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
    except OSError as error:
        return error.strerror or "no"
    return "open"


def born_with() -> dict[str, object]:
    """Everything that a process inherits."""
    # The look at the folder of descriptors is one of them while it lasts.
    numbers = [int(name) for name in os.listdir("/proc/self/fd")]
    descriptors = [number for number in numbers if os.path.exists(f"/proc/self/fd/{number}")]
    umask = os.umask(0)
    os.umask(umask)
    return {
        "environ": dict(os.environ),
        "descriptors": descriptors,
        "cwd": os.getcwd(),
        "umask": umask,
        "signals": signals(),
        "terminal": terminal(),
        "leads": os.getsid(0) == os.getpid() == os.getpgid(0),
        "argv": sys.argv,
    }


def main() -> None:
    """Tells, then answers what it must."""
    born = json.dumps(born_with())
    with open(sys.argv[1], "a", encoding="utf-8") as file:
        file.write(born + "\n")
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result: dict[str, object] = {}
        if message["method"] == "initialize":
            version = message["params"]["protocolVersion"]
            info = {"name": "probe", "version": "1"}
            result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
        elif message["method"] == "tools/list":
            result = {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}
        elif message["method"] == "tools/call":
            result = {"content": []}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
