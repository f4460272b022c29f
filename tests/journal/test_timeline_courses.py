"""What methods do: log level, roots, subscriptions, calls that go on, tasks."""

from inspector.journal.timeline_ledger import STREAMS_KEPT
from inspector.protocol.messages import Sendable
from tests.journal.conversation import notification, request, result
from tests.journal.told import META, asked, error, modern, shaken, told


def test_the_log_level_is_the_last_one_that_the_server_agreed_to() -> None:
    talk = shaken(logging={})
    talk.sent(request(1, "logging/setLevel", level="debug"))
    assert told(talk).log_level is None
    talk.received(result(1))
    talk.sent(request(2, "logging/setLevel", level="error"))
    talk.received(error(2, -32602))
    assert told(talk).log_level == "debug"


def test_in_the_modern_era_each_request_says_which_logs_it_wants() -> None:
    talk = modern()
    talk.sent(request(1, "tools/call", _meta={f"{META}logLevel": "info"}))
    assert told(talk).log_level == "info"
    talk.sent(asked(2, "tools/call"))
    assert told(talk).log_level is None


def test_roots_are_those_that_the_server_was_told_and_stale_when_they_change() -> None:
    talk = shaken()
    assert told(talk).roots is None
    talk.received(request(1, "roots/list"))
    said = talk.sent(result(1, roots=[{"uri": "file:///a"}]))
    roots = told(talk).roots
    assert roots is not None
    assert (roots.roots, roots.entry, roots.stale) == (({"uri": "file:///a"},), said, False)
    talk.sent(notification("notifications/roots/list_changed"))
    roots = told(talk).roots
    assert roots is not None
    assert roots.stale


def test_a_subscription_lasts_from_its_answer_to_the_answer_of_its_end() -> None:
    talk = shaken(resources={})
    talk.sent(request(1, "resources/subscribe", uri="memo://a"))
    assert told(talk).subscriptions == ()
    since = talk.received(result(1))
    talk.received(notification("notifications/resources/updated", uri="memo://other"))
    latest = talk.received(notification("notifications/resources/updated", uri="memo://a/below"))
    (one,) = told(talk).subscriptions
    assert (one.uri, one.since, one.updates, one.entry) == ("memo://a", since, 1, latest)
    talk.sent(request(2, "resources/unsubscribe", uri="memo://a"))
    talk.received(result(2))
    assert told(talk).subscriptions == ()


def test_a_listen_stream_watches_once_it_is_acknowledged() -> None:
    talk = modern(resources={})
    wanted: dict[str, Sendable] = {
        "resourceSubscriptions": ["memo://a"],
        "toolsListChanged": True,
    }
    listens = talk.sent(asked(7, "subscriptions/listen", notifications=wanted))
    (stream,) = told(talk).streams
    assert (stream.request, stream.asked, stream.granted) == (listens, wanted, None)
    granted = {"resourceSubscriptions": ["memo://a"]}
    talk.received(
        notification(
            "notifications/subscriptions/acknowledged",
            notifications=granted,
            _meta={f"{META}subscriptionId": 7},
        )
    )
    seen = told(talk)
    assert seen.streams[0].granted == granted
    assert [one.uri for one in seen.subscriptions] == ["memo://a"]
    talk.received(notification("notifications/cancelled", requestId=7))
    seen = told(talk)
    assert (seen.streams, seen.subscriptions, seen.open) == ((), (), ())


def test_a_new_filter_watches_no_longer_what_it_leaves_out() -> None:
    talk = modern(resources={})
    for number, uris in ((1, ["memo://a", "memo://b"]), (2, ["memo://b"])):
        talk.sent(
            asked(number, "subscriptions/listen", notifications={"resourceSubscriptions": uris})
        )
        talk.received(
            notification(
                "notifications/subscriptions/acknowledged",
                notifications={},
                _meta={f"{META}subscriptionId": number},
            )
        )
    assert [one.uri for one in told(talk).subscriptions] == ["memo://b"]


def test_questions_in_a_result_are_open_until_the_call_goes_on() -> None:
    talk = modern(tools={})
    call = talk.sent(asked(1, "tools/call", name="x"))
    wanted = {"who": {"method": "elicitation/create"}, "where": {"method": "roots/list"}}
    asks = talk.received(
        result(1, resultType="input_required", inputRequests=wanted, requestState="s")
    )
    seen = told(talk).asks
    assert [(one.entry, one.key, one.method, one.request) for one in seen] == [
        (asks, "who", "elicitation/create", call),
        (asks, "where", "roots/list", call),
    ]
    answers: dict[str, Sendable] = {"who": {}, "where": {}}
    talk.sent(asked(2, "tools/call", name="x", inputResponses=answers, requestState="s"))
    assert told(talk).asks == ()


def test_a_task_of_the_handshake_era_is_known_from_its_call_to_its_end() -> None:
    talk = shaken(tools={}, tasks={})
    call = talk.sent(request(1, "tools/call", task={}, _meta={"progressToken": 1}))
    talk.received(result(1, task={"taskId": "t", "status": "working"}))
    talk.received(notification("notifications/progress", progressToken=1, progress=1))
    (task,) = told(talk).tasks
    assert (task.id, task.status, task.request) == ("t", "working", call)
    assert task.progress is not None
    talk.sent(request(2, "tasks/get", taskId="t"))
    over = talk.received(result(2, taskId="t", status="completed", statusMessage="done"))
    talk.received(notification("notifications/tasks/status", taskId="t", status="working"))
    (task,) = told(talk).tasks
    assert (task.status, task.entry, task.message, task.progress) == (
        "completed",
        over,
        "done",
        None,
    )
    assert task.request == call


def test_a_server_without_tasks_makes_none() -> None:
    talk = shaken(tools={})
    talk.sent(request(1, "tools/call"))
    talk.received(result(1, task={"taskId": "t", "status": "working"}))
    assert told(talk).tasks == ()


def test_listed_tasks_are_known_too() -> None:
    talk = shaken(tasks={})
    talk.sent(request(1, "tasks/list"))
    talk.received(result(1, tasks=[{"taskId": "a", "status": "failed"}, {"taskId": 7}]))
    assert [(one.id, one.status) for one in told(talk).tasks] == [("a", "failed")]


def test_a_task_of_the_extension_asks_until_it_was_answered() -> None:
    talk = modern(tools={})
    call = talk.sent(asked(1, "tools/call", name="x"))
    talk.received(result(1, resultType="task", taskId="t", status="working"))
    wanted = {"who": {"method": "elicitation/create"}}
    needs: dict[str, Sendable] = {
        "taskId": "t",
        "status": "input_required",
        "inputRequests": wanted,
    }
    talk.received(notification("notifications/tasks", **needs))
    (one,) = told(talk).asks
    assert (one.key, one.request) == ("who", call)
    talk.sent(asked(2, "tasks/update", taskId="t", inputResponses={"who": {}}))
    assert told(talk).asks == ()
    talk.received(notification("notifications/tasks", **needs))
    assert told(talk).asks == ()  # each key is answered once


def test_a_task_that_is_made_again_belongs_to_its_last_call_only() -> None:
    talk = shaken(tools={}, tasks={})
    for number in (1, 2):
        talk.sent(request(number, "tools/call", task={}, _meta={"progressToken": number}))
        talk.received(result(number, task={"taskId": "t", "status": "working"}))
    talk.received(notification("notifications/progress", progressToken=1, progress=1))
    (task,) = told(talk).tasks
    assert task.progress is None
    talk.received(notification("notifications/progress", progressToken=2, progress=1))
    (task,) = told(talk).tasks
    assert task.progress is not None


def test_streams_are_bounded() -> None:
    talk = modern(resources={})
    for number in range(STREAMS_KEPT + 1):
        talk.sent(asked(number, "subscriptions/listen", notifications={}))
    assert len(told(talk).streams) == STREAMS_KEPT
