"""The steps as they are shown: in order, kept or dropped, and without secrets."""

from inspector.auth.actions import Stage
from inspector.auth.exchange import ErrorAnswer
from inspector.auth.remarks import note
from inspector.auth.secret import Secret
from inspector.auth.steps import StepLog

SECRET = "verifier-9f8e7d6c"


def _log() -> StepLog:
    return StepLog(b"salt")


def test_a_stage_that_begins_again_drops_itself_and_what_came_later() -> None:
    log = _log()
    for stage in (Stage.RESOURCE, Stage.SERVER, Stage.CLIENT):
        log.begin(stage)
        log.note("stage", stage.value)
    log.begin(Stage.SERVER)
    assert [step.stage for step in log.records] == [Stage.RESOURCE, Stage.SERVER]
    assert [step.state for step in log.records] == ["done", "running"]
    assert log.records[1].found == ()
    assert log.stage is Stage.SERVER


def test_facts_remarks_and_entries_belong_to_the_current_step() -> None:
    log = _log()
    log.begin(Stage.RESOURCE)
    log.begin(Stage.SERVER)
    log.ask("https://auth.example.com/x", "RFC 8414")
    log.note("issuer", "https://auth.example.com")
    log.remark((note("rule", "words", "page"),))
    log.saw(3)
    log.saw(0)
    log.turn("waiting")
    first, second = log.records
    assert (first.found, first.remarks, first.entries) == ((), (), ())
    assert second.found == (("issuer", "https://auth.example.com"),)
    assert second.remarks[0].rule == "rule"
    assert second.entries == (3,)
    assert (second.where, second.source) == ("https://auth.example.com/x", "RFC 8414")
    assert second.state == "waiting"


def test_nothing_is_lost_or_raised_before_the_first_step() -> None:
    log = _log()
    log.note("a", "b")
    log.saw(1)
    log.turn("failed")
    log.remark(())
    assert log.records == ()


def test_a_secret_is_masked_also_where_it_was_said_before_it_was_known() -> None:
    log = _log()
    log.begin(Stage.RESOURCE)
    log.ask(f"https://x.example/{SECRET}")
    log.note("a", f"before {SECRET}")
    log.remark((note("rule", SECRET, "page"),))
    assert SECRET in repr(log.records)
    log.learn(Secret(SECRET), None)
    log.note("b", f"after {SECRET}")
    assert SECRET not in repr(log.records)
    assert "before" in repr(log.records)


def test_the_secrets_of_an_answer_are_learned_also_where_it_is_no_json() -> None:
    log = _log()
    log.learn_body(b'{"access_token": "access-token-1", "client_id": "client-id-123"}')
    assert "access-token-1" not in log.clean("it said access-token-1")
    assert "client-id-123" in log.clean("it said client-id-123")
    log.learn_body(b'{"refresh_token": "refresh-token-2", broken')
    assert "refresh-token-2" not in log.clean("it said refresh-token-2")


def test_the_code_of_a_redirect_is_learned() -> None:
    log = _log()
    log.learn_url("http://127.0.0.1:1/callback?code=code-1234&state=x")
    assert "code-1234" not in log.clean("what is code-1234?")


def test_a_secret_is_masked_before_a_text_is_cut() -> None:
    log = _log()
    log.learn(Secret(SECRET))
    answer = ErrorAnswer(400, "e", "x" * 190 + SECRET, reason=SECRET)
    cleaned = log.cleaned_answer(answer)
    assert SECRET[:8] not in cleaned.description
    assert SECRET not in cleaned.reason
    assert cleaned.error == "e"
    assert cleaned.status == 400


def test_what_holds_no_secret_stays_as_it_is() -> None:
    log = _log()
    log.learn(Secret(SECRET))
    for text in ("", "plain", "\ud800 lone", "ümlaut"):
        assert log.clean(text) == text
