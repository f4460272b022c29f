"""`subscriptions/listen` (2026-07-28 basic/patterns/subscriptions), read as transcripts."""

from inspector.protocol.messages import Json, JsonObject
from tests.session.scene import Scene, error, join, notification, result, soon
from tests.session.test_modern import META, opened
from tests.session.test_rounds import params_of


def acknowledged(listen: Json, **granted: Json) -> JsonObject:
    """The server's first word on a listen stream."""
    meta: JsonObject = {f"{META}subscriptionId": listen}
    params: JsonObject = {"_meta": meta, "notifications": granted}
    return notification("notifications/subscriptions/acknowledged", **params)


async def listening(s: Scene, uri: str) -> JsonObject:
    """Subscribes to `uri`, and the server grants everything; the listen request."""
    subscribing = s.begin(s.session.subscribe(uri))
    sent = await s.client()
    assert sent["method"] == "subscriptions/listen"
    wanted = params_of(sent)["notifications"]
    assert isinstance(wanted, dict)
    s.server(acknowledged(sent["id"], **wanted))
    await join(subscribing)
    return sent


async def test_a_subscription_listens_for_the_lists_too() -> None:
    async with opened() as s:
        sent = await listening(s, "x://a")
        assert params_of(sent)["notifications"] == {
            "toolsListChanged": True,
            "resourceSubscriptions": ["x://a"],
        }
        stream = s.session.subscriptions.listening.current
        assert stream is not None
        assert stream.granted == stream.asked
        assert s.session.subscriptions.find("x://a") is not None


async def test_an_update_counts_for_what_is_subscribed() -> None:
    async with opened() as s:
        sent = await listening(s, "x://a")
        meta: JsonObject = {f"{META}subscriptionId": sent["id"]}
        s.server(notification("notifications/resources/updated", uri="x://a", _meta=meta))
        found = s.session.subscriptions.find("x://a")
        assert found is not None
        assert found.updates == 1


async def test_a_second_subscription_replaces_the_stream_only_once_it_stands() -> None:
    async with opened() as s:
        first = await listening(s, "x://a")
        subscribing = s.begin(s.session.subscribe("x://b"))
        second = await s.client()
        assert params_of(second)["notifications"] == {
            "toolsListChanged": True,
            "resourceSubscriptions": ["x://a", "x://b"],
        }
        await s.settle()
        assert s.quiet()
        s.server(acknowledged(second["id"], toolsListChanged=True))
        said = await s.client()
        assert said["method"] == "notifications/cancelled"
        assert params_of(said)["requestId"] == first["id"]
        await join(subscribing)
        stream = s.session.subscriptions.listening.current
        assert stream is not None
        assert stream.call.id == second["id"]
        assert stream.granted == {"toolsListChanged": True}  # less than was asked for


async def test_of_two_subscriptions_at_once_none_is_lost() -> None:
    async with opened() as s:
        first = s.begin(s.session.subscribe("x://a"))
        second = s.begin(s.session.subscribe("x://b"))
        sent = await s.client()
        s.server(acknowledged(sent["id"], resourceSubscriptions=["x://a"]))
        await join(first)
        sent = await s.client()
        wanted = params_of(sent)["notifications"]
        assert isinstance(wanted, dict)
        assert wanted["resourceSubscriptions"] == ["x://a", "x://b"]
        s.server(acknowledged(sent["id"], **wanted))
        await join(second)
        assert [one.uri for one in s.session.subscriptions.items] == ["x://a", "x://b"]


async def test_a_refused_subscription_is_none() -> None:
    async with opened() as s:
        subscribing = s.begin(s.session.subscribe("x://a"))
        sent = await s.client()
        assert isinstance(sent["id"], int)
        s.server(error(sent["id"], -32602, "no"))
        await join(subscribing)
        assert s.session.subscriptions.items == ()
        assert s.session.subscriptions.listening.current is None


async def test_how_a_stream_ended_is_kept() -> None:
    """It may end with a result, with a cancellation by the server, or with the connection."""
    async with opened() as s:
        sent = await listening(s, "x://a")
        assert isinstance(sent["id"], int)
        s.server(result(sent["id"], {"resultType": "complete", "_meta": {}}))
        await s.settle()
        assert "in order" in s.session.subscriptions.listening.streams[-1].ended
        sent = await listening(s, "x://b")
        s.server(notification("notifications/cancelled", requestId=sent["id"], reason="tired"))
        await s.settle()
        assert "tired" in s.session.subscriptions.listening.streams[-1].ended
        assert s.session.subscriptions.items == ()  # nothing is watched any more
        assert s.session.subscriptions.listening.current is None


async def test_unsubscribing_listens_for_what_is_left() -> None:
    async with opened() as s:
        await listening(s, "x://a")
        ending = s.begin(s.session.unsubscribe("x://a"))
        sent = await s.client()
        assert params_of(sent)["notifications"] == {"toolsListChanged": True}
        s.server(acknowledged(sent["id"], toolsListChanged=True))
        await soon(s.wire.next_sent())
        await join(ending)
        assert s.session.subscriptions.items == ()


async def test_listening_is_resumed_for_all_that_the_latest_stream_watched() -> None:
    async with opened() as s:
        sent = await listening(s, "x://a")
        s.server(result(int(str(sent["id"])), {"resultType": "complete"}))
        await s.settle()
        assert s.session.subscriptions.find("x://a") is None
        assert s.session.subscriptions.listening.streams[-1].ended
        resuming = s.begin(s.session.subscriptions.resume())
        again = await s.client()
        assert params_of(again)["notifications"] == params_of(sent)["notifications"]
        s.server(acknowledged(again["id"], toolsListChanged=True))
        await join(resuming)
        assert s.session.subscriptions.find("x://a") is not None
        assert s.session.subscriptions.listening.current is not None


async def test_listening_begins_with_the_lists_where_nothing_was_watched() -> None:
    async with opened() as s:
        resuming = s.begin(s.session.subscriptions.resume())
        sent = await s.client()
        assert params_of(sent)["notifications"] == {"toolsListChanged": True}
        s.server(error(int(str(sent["id"])), -32601, "no"))
        await join(resuming)
        assert s.session.subscriptions.listening.current is None
