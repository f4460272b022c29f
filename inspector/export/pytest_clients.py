"""The client inside generated tests: JSON-RPC over a pipe or over HTTP, standard library only.

It sends lines exactly as they were recorded. Requests of the server are answered as they were in
the recording. It is text, because this room itself opens no processes and sockets. Pure.
"""

from typing import Final

STDIO: Final = '''
class StdioServer:
    """A program, a line a message."""

    def __init__(self, command, cwd, opening, answers):
        if os.environ.get("MCP_SERVER"):
            command = shlex.split(os.environ["MCP_SERVER"])
        self.answers = answers
        self.process = subprocess.Popen(
            command, cwd=cwd or None, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.incoming = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        for line in opening:
            self.request(line) if "id" in json.loads(line) else self.send(line)

    def _read(self):
        for line in self.process.stdout:
            self.incoming.put(line)
        self.incoming.put(None)

    def send(self, line, headers=()):
        self.process.stdin.write(line.encode("utf-8") + b"\\n")
        self.process.stdin.flush()

    def request(self, line, headers=()):
        wanted = json.loads(line)["id"]
        self.send(line)
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                raw = self.incoming.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no answer within {TIMEOUT} s to {line[:200]}") from None
            assert raw is not None, f"the server ended before it answered {line[:200]}"
            try:
                message = json.loads(raw)
            except ValueError:
                continue
            if not isinstance(message, dict):
                continue
            if "method" in message and "id" in message:
                self.send(reply(self.answers, message))
            elif "method" not in message and message.get("id") == wanted:
                return message

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
'''

HTTP: Final = '''
class HttpServer:
    """A URL: Streamable HTTP, or HTTP+SSE where that was recorded."""

    def __init__(self, url, opening, answers, legacy):
        self.url = os.environ.get("MCP_URL", url)
        self.answers = answers
        self.session = ""
        self.incoming = None
        if legacy:
            self.incoming, found = queue.Queue(), queue.Queue()
            threading.Thread(target=self._listen, args=(found,), daemon=True).start()
            self.url = urllib.parse.urljoin(self.url, found.get(timeout=TIMEOUT))
        for line, headers in opening:
            self.request(line, headers) if "id" in json.loads(line) else self.send(line, headers)

    def _open(self, line, headers=()):
        asked = urllib.request.Request(self.url, line.encode("utf-8"), method="POST")
        asked.add_header("Content-Type", "application/json")
        asked.add_header("Accept", "application/json, text/event-stream")
        for name, value in headers:
            asked.add_header(name, value)
        if self.session:
            asked.add_header("Mcp-Session-Id", self.session)
        if os.environ.get("MCP_TOKEN"):
            asked.add_header("Authorization", "Bearer " + os.environ["MCP_TOKEN"])
        try:
            return urllib.request.urlopen(asked, timeout=TIMEOUT)
        except urllib.error.HTTPError as error:
            return error

    def _listen(self, found):
        asked = urllib.request.Request(self.url, headers={"Accept": "text/event-stream"})
        with urllib.request.urlopen(asked) as stream:
            for event, data in events(stream):
                found.put(data) if event == "endpoint" else self.incoming.put(data)

    def send(self, line, headers=()):
        self._open(line, headers).close()

    def request(self, line, headers=()):
        wanted = json.loads(line)["id"]
        with self._open(line, headers) as answer:
            self.session = answer.headers.get("Mcp-Session-Id") or self.session
            if self.incoming is not None:
                texts = iter(lambda: self.incoming.get(timeout=TIMEOUT), None)
            elif "event-stream" in answer.headers.get("Content-Type", ""):
                texts = (data for _, data in events(answer))
            else:
                texts = [answer.read().decode("utf-8")]
            for text in texts:
                try:
                    message = json.loads(text)
                except ValueError:
                    continue
                if "method" in message and "id" in message:
                    self.send(reply(self.answers, message), headers)
                elif "method" not in message and message.get("id") == wanted:
                    return message
            status = getattr(answer, "status", "?")
        raise AssertionError(f"no answer (HTTP {status}) to {line[:200]}")

    def close(self):
        if self.session:
            asked = urllib.request.Request(self.url, method="DELETE")
            asked.add_header("Mcp-Session-Id", self.session)
            with contextlib.suppress(OSError):
                urllib.request.urlopen(asked, timeout=5).close()


def events(stream):
    """Name and data of each server-sent event."""
    name, data = "message", []
    for raw in stream:
        line = raw.decode("utf-8", "replace").rstrip("\\r\\n")
        if not line:
            if data:
                yield name, "\\n".join(data)
            name, data = "message", []
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif line.startswith("event:"):
            name = line[6:].strip()
'''

REPLY: Final = '''
def reply(answers, message):
    """What the recording answered to such a request of the server."""
    recorded = answers.get(message["method"])
    if not recorded:
        error = {"code": -32601, "message": "the recording has no answer to this"}
        return json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error})
    answer = json.loads(recorded.pop(0) if len(recorded) > 1 else recorded[0])
    return json.dumps({**answer, "id": message["id"]})
'''
