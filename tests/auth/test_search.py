"""One candidate after another, and when to stop."""

import pytest

from inspector.auth.discovery import Candidate, Outcome
from inspector.auth.exchange import Step
from inspector.auth.remarks import Judged, refusal, warning
from inspector.auth.search import Search, Stopped, rejected

GOOD = Judged("good", (warning("w", "odd", "page"),))
BAD = Judged("bad", (refusal("r", "wrong", "page"),))
NONE: Judged[str] = Judged(None, (refusal("metadata-unreadable", "no JSON", "page"),))


def _search(judged: Judged[str]) -> Search[str]:
    places = [Candidate("https://a.example", "first"), Candidate("https://b.example", "second")]
    return Search(Step.SERVER_METADATA, places, lambda _: judged, (("X-Test", "1"),))


def test_candidates_are_asked_in_order_and_once() -> None:
    search = _search(GOOD)
    first, second = search.following(), search.following()
    assert first is not None
    assert second is not None
    assert (first.method, first.url, second.url) == ("GET", "https://a.example", search.where)
    assert ("X-Test", "1") in first.headers
    assert search.source == "second"
    assert not search.left
    assert search.following() is None


@pytest.mark.parametrize("status", [302, 401, 404, 410])
def test_where_nothing_is_the_search_goes_on(status: int) -> None:
    search = _search(GOOD)
    search.following()
    assert search.take(status, b"") is None
    assert search.outcomes == [Outcome.ABSENT]
    assert search.absent == ["https://a.example"]
    assert search.left


def test_a_text_that_is_no_document_counts_as_nothing() -> None:
    search = _search(NONE)
    search.following()
    assert search.take(200, b"<html>") is None
    assert search.absent == ["https://a.example"]


@pytest.mark.parametrize("status", [429, 500, 503, 999, 204])
def test_a_server_in_trouble_ends_the_search(status: int) -> None:
    search = _search(GOOD)
    search.following()
    stopped = search.take(status, b"")
    assert isinstance(stopped, Stopped)
    assert stopped.kind == "server-trouble"
    assert str(status) in stopped.message
    assert search.outcomes == [Outcome.FAILED]


def test_a_document_is_handed_over_judged() -> None:
    search = _search(GOOD)
    search.following()
    assert search.take(200, b"{}") is GOOD
    assert search.outcomes == []
    search = _search(BAD)
    search.following()
    assert search.take(200, b"{}") is BAD
    assert search.outcomes == [Outcome.REJECTED]


def test_a_rejection_says_what_is_wrong_and_where() -> None:
    stopped = rejected(BAD, "https://a.example")
    assert stopped.kind == "metadata-rejected"
    assert "https://a.example" in stopped.message
    assert "wrong" in stopped.message
    assert stopped.remarks == BAD.remarks


def test_the_one_way_around_missing_pkce_metadata_is_named() -> None:
    unknown = refusal("pkce-unknown", "not said", "page")
    assert "--allow-missing-pkce-metadata" in rejected(Judged("x", (unknown,)), "y").hint
    both = Judged("x", (unknown, refusal("r", "wrong", "page")))
    assert "--allow" not in rejected(both, "y").hint
