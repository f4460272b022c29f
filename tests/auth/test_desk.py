"""The one wish of a flow: judged before it is one, and clean when it fails."""

from inspector.auth.actions import ChooseServer, Failed, Send, Stage
from inspector.auth.desk import Desk
from inspector.auth.exchange import Step, get
from inspector.auth.policy import perimeter
from inspector.auth.search import Stopped
from inspector.auth.secret import Secret
from inspector.auth.steps import StepLog
from tests.auth.playbook import NOW, SERVER

PLACE = "https://auth.example.com/metadata"


def _desk() -> Desk:
    desk = Desk(StepLog(b"salt"), perimeter(SERVER))
    desk.log.begin(Stage.SERVER)
    return desk


def test_an_answer_goes_to_who_asked_for_it_and_only_once() -> None:
    desk = _desk()
    taken: list[tuple[int, bytes, float]] = []
    request = get(Step.SERVER_METADATA, PLACE)
    desk.send(request, lambda *answer: taken.append(answer), "RFC 8414")
    assert desk.action == Send(request)
    assert desk.log.records[-1].where == PLACE
    desk.answered(200, b"{}", NOW)
    desk.answered(200, b"again", NOW)
    assert taken == [(200, b"{}", NOW)]


def test_a_url_that_may_not_be_used_never_becomes_a_wish() -> None:
    desk = _desk()
    taken: list[int] = []
    desk.send(get(Step.SERVER_METADATA, "https://10.0.0.5/x"), lambda s, b, n: taken.append(s))
    action = desk.action
    assert isinstance(action, Failed)
    assert (action.kind, action.stage) == ("url-refused", Stage.SERVER)
    desk.answered(200, b"{}", NOW)
    assert taken == []


def test_a_failure_is_clean_and_marks_its_step() -> None:
    desk = _desk()
    desk.log.learn(Secret("secret-4711"))
    desk.fail(Stopped("kind", "it said secret-4711", "ask secret-4711", "network"))
    action = desk.action
    assert isinstance(action, Failed)
    assert "secret-4711" not in repr(action)
    assert action.message.startswith("it said ")
    assert (action.kind, action.fault) == ("kind", "network")
    assert desk.log.records[-1].state == "failed"


def test_an_answer_that_comes_after_a_failure_is_ignored() -> None:
    desk = _desk()
    taken: list[int] = []
    desk.send(get(Step.SERVER_METADATA, PLACE), lambda s, b, n: taken.append(s))
    desk.fail(Stopped("given-up", "enough"))
    desk.answered(200, b"{}", NOW)
    assert taken == []


def test_who_waits_for_a_person_says_so() -> None:
    desk = _desk()
    desk.wait(ChooseServer(("a", "b")))
    assert desk.action == ChooseServer(("a", "b"))
    assert desk.log.records[-1].state == "waiting"
