"""A browser without a person: opens a URL, follows redirects, fills in and sends the forms that it
meets, and ends on the page that has none.

`python scripted_browser.py URL` is a program for $BROWSER. It takes exactly one argument and writes
what it was given and where it went as a line of JSON to the file in `SCRIPTED_BROWSER_LOG`; the
words in `SCRIPTED_BROWSER_SAYS` (JSON, name to value) go into fields of that name. What a list of
all processes shows meanwhile, but for itself, goes to the file in `SCRIPTED_BROWSER_PROCESSES`.
"""

import json
import os
import ssl
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import httpx

MOST_STEPS = 30
ADA = {"username": "ada", "login": "ada", "password": "lovelace", "email": "ada@example.com"}


@dataclass(slots=True)
class Form:
    """A form on a page, with the values that its fields come with."""

    action: str
    method: str
    fields: list[tuple[str, str, str]] = field(default_factory=list)
    """Name, type, value."""

    def filled(self, says: dict[str, str]) -> dict[str, str]:
        """What is sent: the first button only, and what a person would type."""
        sent: dict[str, str] = {}
        for name, kind, value in self.fields:
            if kind == "submit" and any(k == "submit" and n in sent for n, k, _ in self.fields):
                continue
            if kind == "checkbox" and name in sent:
                continue
            sent[name] = says.get(name, value) if kind != "hidden" else value
        return sent


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(Form(given.get("action", ""), given.get("method", "get").lower()))
            self._open = True
        elif self._open and tag in {"input", "button"} and given.get("name"):
            kind = given.get("type", "submit" if tag == "button" else "text")
            self.found[-1].fields.append((given["name"], kind, given.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = False


def browse(
    url: str,
    says: dict[str, str] | None = None,
    *,
    stop_at: str | None = None,
    trust: ssl.SSLContext | None = None,
) -> list[tuple[str, int]]:
    """Goes where `url` leads; the URLs asked, with the status of each. A redirect to a URL that
    begins with `stop_at` ends the journey and is not asked; its status is 0."""
    words = {**ADA, **(says or {})}
    went: list[tuple[str, int]] = []
    with httpx.Client(trust_env=False, timeout=30.0, verify=trust or _nobody()) as client:
        answer = client.get(url)
        while len(went) < MOST_STEPS:
            went.append((str(answer.url), answer.status_code))
            if answer.has_redirect_location:
                to = urljoin(str(answer.url), answer.headers["Location"])
                if stop_at is not None and to.startswith(stop_at):
                    return [*went, (to, 0)]
                answer = client.get(to)
                continue
            page = _Forms()
            if "html" in answer.headers.get("Content-Type", ""):
                page.feed(answer.text)
            if not page.found:
                return went
            form = page.found[0]
            target = urljoin(str(answer.url), form.action)
            if form.method == "post":
                answer = client.post(target, data=form.filled(words))
            else:
                answer = client.get(target, params=form.filled(words))
    raise RuntimeError("the pages go round in circles")


def redirect_of(url: str, stop_at: str, trust: ssl.SSLContext | None = None) -> str:
    """The redirect to a URL that begins with `stop_at`, which is not asked."""
    to, status = browse(url, stop_at=stop_at, trust=trust)[-1]
    if status != 0:
        raise RuntimeError(f"the browser ends on HTTP {status}")
    return to


def _nobody() -> ssl.SSLContext:
    """Trusts nobody: reading the certificates of the world takes longer than a whole journey."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def processes() -> bytes:
    """The command lines of all other processes, as everybody on the machine can list them."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        if path.parent.name != str(os.getpid()):
            with suppress(OSError):
                lines.append(path.read_bytes())
    return b"\n".join(lines)


def main() -> int:
    """The program."""
    if "SCRIPTED_BROWSER_PROCESSES" in os.environ:
        Path(os.environ["SCRIPTED_BROWSER_PROCESSES"]).write_bytes(processes())
    log = os.environ.get("SCRIPTED_BROWSER_LOG", "")
    went: list[tuple[str, int]] = []
    try:
        if len(sys.argv) == 2:
            went = browse(sys.argv[1], json.loads(os.environ.get("SCRIPTED_BROWSER_SAYS", "{}")))
    finally:
        if log:
            line = json.dumps({"argv": sys.argv[1:], "went": went})
            with open(log, "a", encoding="utf-8") as out:
                out.write(line + "\n")
    return 0 if went else 2


if __name__ == "__main__":
    sys.exit(main())
