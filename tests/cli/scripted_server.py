"""A stdio server whose answers a test writes down: `python scripted_server.py JSON`.

JSON maps methods to the text of their result; "ERROR " before it makes it an error, "LINE " a
whole line in which $ID stands for the id, and "EXIT" ends the server. What is not there is unknown.
"""

import json
import sys


def main() -> None:
    script: dict[str, str] = json.loads(sys.argv[1])
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        method, number = message["method"], json.dumps(message["id"])
        said = script.get(method, 'ERROR {"code":-32601,"message":"none"}')
        if method == "initialize" and method not in script:
            revision = json.dumps(message["params"]["protocolVersion"])
            said = (
                f'{{"protocolVersion":{revision},"serverInfo":{{"name":"s","version":"1"}},'
                '"capabilities":{"tools":{},"resources":{},"prompts":{}}}'
            )
        if said == "EXIT":
            print("I had enough", file=sys.stderr)
            sys.exit(7)
        kind, _, text = said.partition(" ")
        answer = f'{{"jsonrpc":"2.0","id":{number},"result":{said}}}'
        if kind == "ERROR":
            answer = f'{{"jsonrpc":"2.0","id":{number},"error":{text}}}'
        elif kind == "LINE":
            answer = text.replace("$ID", number)
        print(answer, flush=True)


if __name__ == "__main__":
    main()
