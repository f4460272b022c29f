"""The one before the screen, as a flow sees them."""

import asyncio
import urllib.error
import urllib.parse
import urllib.request

import pytest

from inspector.auth.registration import Client, ClientOrigin
from inspector.auth.scopes import StepUp
from inspector.errors import ConnectionFailed
from inspector.tui.auth_person import PersonAtScreen, Question

pytestmark = pytest.mark.asyncio


async def _asked(person: PersonAtScreen) -> Question:
    for _ in range(10_000):
        if person.question is not None:
            return person.question
        await asyncio.sleep(0)
    raise AssertionError("nothing is asked")


async def test_an_answer_reaches_whoever_asked_and_ends_the_question() -> None:
    person = PersonAtScreen()
    asking = asyncio.ensure_future(person.choose_server(("https://a", "https://b")))
    question = await _asked(person)
    assert question.choices == ("https://a", "https://b")
    await person.answer(question.number, "https://b")
    assert await asking == "https://b"
    assert person.question is None


async def test_an_answer_to_an_older_question_changes_nothing() -> None:
    person = PersonAtScreen()
    first = asyncio.ensure_future(person.confirm_scopes(StepUp(("a", "b"), ("b",), 1)))
    old = await _asked(person)
    await person.answer(old.number, None)
    assert await first is False
    second = asyncio.ensure_future(person.allow_issuer("https://a/", "https://a"))
    new = await _asked(person)
    await person.answer(old.number, True)
    await asyncio.sleep(0)
    assert not second.done()
    await person.answer(new.number, True)
    assert await second is True


async def test_a_second_question_waits_until_the_first_is_answered() -> None:
    """Sessions of one inspection under different rules each have an authority of their own."""
    person = PersonAtScreen()
    consent = person.consent()
    await consent.open()
    visit = asyncio.ensure_future(consent.fetch("https://as.example/authorize", lambda _: True))
    page = await _asked(person)
    asking = asyncio.ensure_future(person.choose_server(("https://a", "https://b")))
    for _ in range(20):
        await asyncio.sleep(0)
    assert person.question == page
    await person.answer(page.number, "https://a/back?code=c")
    async with asyncio.timeout(10):
        await visit
        await consent.close()
        question = await _asked(person)
        assert question.kind == "server"
        await person.answer(question.number, "https://b")
        assert await asking == "https://b"
    assert person.question is None


async def test_a_client_that_the_user_names_is_used() -> None:
    person = PersonAtScreen()
    asking = asyncio.ensure_future(person.name_client("https://a", "none registers"))
    question = await _asked(person)
    client = Client("mine", ClientOrigin.PREREGISTERED)
    await person.answer(question.number, client)
    assert await asking == client


async def test_the_address_is_shown_before_anything_opens_and_a_redirect_ends_the_wait() -> None:
    person = PersonAtScreen()
    consent = person.consent()
    uri = await consent.open()
    taken: list[str] = []

    def take(redirect: str) -> bool:
        taken.append(redirect)
        return "state=right" in redirect

    visit = asyncio.ensure_future(consent.fetch("https://as.example/authorize?x=1", take))
    question = await _asked(person)
    assert question.kind == "consent"
    assert question.url == "https://as.example/authorize?x=1"
    await asyncio.to_thread(_get, f"{uri}?code=c&state=wrong")
    assert not visit.done()
    await asyncio.to_thread(_get, f"{uri}?code=c&state=right")
    async with asyncio.timeout(10):
        await visit
    await consent.close()
    assert len(taken) == 2
    assert person.question is None


async def test_each_consent_listens_where_the_target_of_now_wants_it() -> None:
    wanted = ["http://127.0.0.1/first", "http://localhost/second"]
    person = PersonAtScreen(lambda: wanted[0])
    first = person.consent()
    assert (await first.open()).endswith("/first")
    await first.close()
    wanted.pop(0)
    second = person.consent()
    assert (await second.open()).endswith("/second")
    await second.close()


async def test_a_pasted_address_does_as_well_and_a_wrong_one_is_asked_for_again() -> None:
    person = PersonAtScreen()
    consent = person.consent()
    await consent.open()
    visit = asyncio.ensure_future(consent.fetch("https://as/", lambda text: text == "right"))
    question = await _asked(person)
    await person.answer(question.number, "wrong")
    assert person.question == question
    assert any("no redirect of this authorization" in words for words in person.remarks)
    await person.answer(question.number, "right")
    async with asyncio.timeout(10):
        await visit
    await consent.close()


async def test_saying_no_ends_the_flow_as_the_users_wish() -> None:
    person = PersonAtScreen()
    consent = person.consent()
    await consent.open()
    visit = asyncio.ensure_future(consent.fetch("https://as/", lambda _: False))
    question = await _asked(person)
    await person.answer(question.number, None)
    with pytest.raises(ConnectionFailed) as caught:
        await visit
    assert caught.value.fault == "you"
    await consent.close()
    assert person.question is None


async def test_the_question_says_nothing_of_the_address_in_logs() -> None:
    assert "secret-state" not in repr(Question(1, "consent", url="https://as/?state=secret-state"))


def _get(url: str) -> None:
    assert urllib.parse.urlsplit(url).hostname == "127.0.0.1"
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            answer.read()
    except urllib.error.HTTPError as error:
        error.close()
