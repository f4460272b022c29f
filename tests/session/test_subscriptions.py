"""Subscriptions: what is subscribed, what changed, and updates that nobody asked for."""

from tests.session.scene import Scene, error, join, notification, ready, result, soon


async def subscribe(s: Scene, uri: str) -> None:
    """Subscribes, and the server agrees."""
    subscribing = s.begin(s.session.subscribe(uri))
    sent = await s.client()
    assert (sent["method"], sent["params"]) == ("resources/subscribe", {"uri": uri})
    assert isinstance(sent["id"], int)
    s.server(result(sent["id"], {}))
    await join(subscribing)


def updated(s: Scene, uri: str) -> int:
    """The server says that `uri` changed."""
    return s.server(notification("notifications/resources/updated", uri=uri))


async def test_updates_are_counted_until_somebody_reads_the_resource() -> None:
    """2025-11-25 server/resources, subscriptions."""
    async with ready() as s:
        await subscribe(s, "file:///a")
        number = [updated(s, "file:///a"), updated(s, "file:///a")][-1]
        found = s.session.subscriptions.find("file:///a")
        assert found is not None
        assert (found.updates, found.unseen, found.entry) == (2, 2, number)
        await soon(s.session.read_resource("file:///a"))
        found = s.session.subscriptions.find("file:///a")
        assert found is not None
        assert (found.updates, found.unseen) == (2, 0)


async def test_an_update_may_name_something_below_the_subscribed_resource() -> None:
    """2025-11-25 server/resources: it may be a sub-resource of the one subscribed."""
    async with ready() as s:
        await subscribe(s, "file:///dir")
        updated(s, "file:///dir/inner")
        number = updated(s, "file:///directory")
        assert s.session.subscriptions.items[0].updates == 1
        assert s.session.subscriptions.unasked == (number,)


async def test_a_refused_subscription_is_none() -> None:
    async with ready() as s:
        subscribing = s.begin(s.session.subscribe("file:///a"))
        await s.client()
        s.server(error(2, -32602, "no"))
        await join(subscribing)
        assert s.session.subscriptions.items == ()


async def test_unsubscribing_ends_it() -> None:
    async with ready() as s:
        await subscribe(s, "file:///a")
        ending = s.begin(s.session.unsubscribe("file:///a"))
        assert (await s.client())["method"] == "resources/unsubscribe"
        s.server(result(3, {}))
        await join(ending)
        assert s.session.subscriptions.items == ()
