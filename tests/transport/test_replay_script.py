"""Which recorded entries belong to which message of ours."""

from inspector.journal.entries import Direction
from inspector.journal.journal import Journal
from inspector.protocol.messages import encode_notification, encode_request, encode_result
from inspector.transport.replay_script import (
    key_of,
    read_scripts,
    token_of,
    with_id,
    with_progress_token,
    with_subscription_id,
)


def recorded(*frames: tuple[str, bytes]) -> Journal:
    """A journal of frames: ">" sent, "<" received, "2" stderr."""
    journal = Journal()
    connection = journal.begin_connection({})
    for way, raw in frames:
        if way == "2":
            journal.stderr(raw, connection=connection)
        else:
            direction = Direction.SENT if way == ">" else Direction.RECEIVED
            journal.frame(direction, raw, connection=connection)
    return journal


def call(request_id: int, token: str | None = None) -> bytes:
    meta = {} if token is None else {"_meta": {"progressToken": token}}
    return encode_request(request_id, "tools/call", {"name": "t", **meta})


def progress(token: str) -> bytes:
    return encode_notification("notifications/progress", {"progressToken": token, "progress": 1})


def test_messages_ask_the_same_whatever_their_id_token_and_order_of_keys() -> None:
    one = (
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1,"b":2,"_meta":{"progressToken":5}}}'
    )
    two = b'{"id":"x","method":"m","params":{"b":2,"a":1}}'
    assert key_of(one) == key_of(two)
    assert key_of(one) != key_of(encode_request(1, "m", {"a": 1}))
    assert key_of(encode_request(1, "initialize", {"a": 1})) == key_of(
        encode_request(2, "initialize")
    )
    assert token_of(one) == 5
    assert token_of(two) is None


def test_outcomes_go_by_id_progress_by_token_and_the_rest_to_the_latest_open_request() -> None:
    ask = encode_request("s1", "roots/list")
    note = encode_notification("notifications/message", {"data": 1})
    journal = recorded(
        ("2", b"starting"),
        (">", call(1, "one")),
        (">", encode_request(2, "tools/list")),
        ("<", progress("one")),
        ("<", ask),
        (">", encode_result("s1", {"roots": []})),
        ("<", encode_result(2, {"tools": []})),
        ("<", note),
        ("<", encode_result(1, {})),
        ("<", note),
    )
    scripts = read_scripts(journal)
    assert len(scripts.preamble.steps) == 1
    first = scripts.next_for(call(9))
    second = scripts.next_for(encode_request(8, "tools/list"))
    assert first is not None
    assert second is not None
    assert [s.body for s in first.steps] == [progress("one"), note, encode_result(1, {})]
    assert [s.outcome for s in first.steps] == [False, False, True]
    assert [(s.body, s.waits) for s in second.steps] == [
        (ask, None),
        (b"", "s1"),
        (encode_result(2, {"tools": []}), None),
        (note, None),
    ]
    journal.close()


def test_several_exchanges_of_a_kind_are_played_in_order_and_the_last_one_again() -> None:
    journal = recorded(
        (">", call(1)), ("<", encode_result(1, "a")), (">", call(2)), ("<", encode_result(2, "b"))
    )
    scripts = read_scripts(journal)
    played = [scripts.next_for(call(7)) for _ in range(3)]
    assert [s.steps[0].body[-4:-1] for s in played if s] == [b'"a"', b'"b"', b'"b"']
    assert scripts.next_for(encode_request(1, "unknown")) is None
    journal.close()


def test_rewriting_keeps_every_other_token_as_it_was() -> None:
    raw = b'{"jsonrpc":"2.0","id":1,"result":{"n":1.10,"big":1180591620717411303424,"x":1E5}}'
    assert with_id(raw, "new") == raw.replace(b'"id":1', b'"id":"new"')
    assert with_progress_token(progress("a"), "a", "b") == progress("b")
    assert with_progress_token(progress("a"), "other", "b") == progress("a")
    assert with_progress_token(progress("a"), "a", None) == progress("a")
    assert with_id(b"junk", 1) == b"junk"


def test_an_announcement_belongs_to_its_stream_and_names_the_stream_of_now() -> None:
    listen = encode_request(8, "subscriptions/listen", {"notifications": {}})
    said = (
        b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed",'
        b'"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":8}}}'
    )
    scripts = read_scripts(recorded((">", listen), (">", call(9)), ("<", said)))
    script = scripts.next_for(listen)
    assert script is not None
    assert [step.body for step in script.steps] == [said]
    assert with_subscription_id(said, 8, 3) == said.replace(b'Id":8', b'Id":3')
    assert with_subscription_id(said, 7, 3) == said
    assert with_subscription_id(said, None, 3) == said
    assert with_subscription_id(b"junk", 8, 3) == b"junk"
