"""The page: whole, harmless, readable without its script, and of bounded size."""

import json
from pathlib import Path

import pytest

from inspector.export import html as page_format
from inspector.export.html_page import SCRIPT, STYLE
from inspector.journal.loading import load_recording
from inspector.render.safe import DANGEROUS, plain
from tests.export.canary import exported, recording
from tests.export.page import Page
from tests.journal.conversation import Conversation, request, result
from tests.servers.hostile_texts import TEXTS

RECORDINGS = sorted((Path(__file__).parents[1] / "recordings").glob("*.jsonl"))
SCRIPTS = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"'><b>&amp;")


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_every_entry_is_a_line_that_opens_without_a_script(path: Path) -> None:
    journal = load_recording(path)
    page = Page(exported(journal, "html").decode())
    assert not page.crooked
    assert page.open == []
    entries = [one for one in page.all("details") if (one.get("id") or "").startswith("n")]
    assert [one["id"] for one in entries] == [f"n{n}" for n in range(1, len(journal) + 1)]
    assert len(page.bodies) == len(journal)


def test_links_lead_to_entries_of_the_page() -> None:
    page = Page(exported(recording(), "html").decode())
    known = {f"#{one['id']}" for one in page.all("details") if "id" in one}
    links = {one["href"] or "" for one in page.all("a")}
    assert len(links) > 5
    assert links <= known


def test_nothing_is_fetched_and_only_our_script_may_run() -> None:
    text = exported(recording(), "html").decode()
    page = Page(text)
    policy = next(one for one in page.all("meta") if "http-equiv" in one)["content"] or ""
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert len(page.all("script")) == len(page.all("style")) == 1
    for tag, attributes in page.tags:
        assert "src" not in attributes, tag
        assert "style" not in attributes, tag
        assert not [name for name in attributes if name.startswith("on")], tag
        assert tag not in ("link", "img", "iframe", "object", "form", "base"), tag
    assert "url(" not in STYLE
    assert "@import" not in STYLE
    for word in ("innerHTML", "eval(", "fetch(", "XMLHttpRequest", "document.write"):
        assert word not in SCRIPT


@pytest.mark.parametrize("text", [*TEXTS.values(), *SCRIPTS])
def test_a_hostile_text_is_only_text(text: str) -> None:
    talk = Conversation()
    talk.sent(request(1, "tools/call", name=text, arguments={"t": text}))
    talk.received(text.encode("utf-8", "surrogatepass"))
    talk.journal.stderr(text.encode("utf-8", "surrogatepass"), connection=1)
    talk.journal.note(2, text)
    written = exported(talk.journal, "html").decode()
    page = Page(written)
    assert not page.crooked
    assert page.open == []
    assert len(page.all("script")) == 1
    shown = "".join(page.text).replace("\n", "").replace("\t", "")
    assert DANGEROUS.search(shown) is None
    assert json.loads(plain(page.bodies[1]))["params"]["name"] == text


def test_a_long_body_is_cut_and_says_how_long_it_was() -> None:
    talk = Conversation()
    talk.received(result(1, content=[{"type": "text", "text": "x" * 5_000_000}]))
    written = exported(talk.journal, "html").decode()
    assert len(written) < 200_000
    assert "cut: the first part of 5,000,0" in written


def test_a_page_has_an_end_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_format, "MOST", 5)
    talk = Conversation()
    for number in range(10):
        talk.sent(request(number, "ping"))
    page = Page(exported(talk.journal, "html").decode())
    assert len(page.bodies) == 5
    assert "6 entries more are not on this page" in "".join(page.text)


def test_latency_outcome_and_findings_stand_on_the_line() -> None:
    talk = Conversation()
    talk.sent(request(1, "tools/call", name="add"))
    talk.pass_time(0.25)
    talk.received(result(1, content=[], isError=True))
    talk.received(result(7, content=[]))
    page = Page(exported(talk.journal, "html").decode())
    text = "".join(page.text)
    assert "failed 250 ms" in text
    assert "orphan" in text
    assert "findings" in text
    lines = [one["class"] or "" for one in page.all("details") if "id" in one]
    assert "bad" in lines[-1]
