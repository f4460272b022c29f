"""What one does with a session, where the two eras differ."""

from tests.session.scene import join, ready, result
from tests.session.test_modern import opened


async def test_subscribing_is_a_request_of_its_own_in_the_handshake_era() -> None:
    async with ready() as s:
        subscribing = s.begin(s.session.subscribe("x://a"))
        sent = await s.client()
        assert sent["method"] == "resources/subscribe"
        assert isinstance(sent["id"], int)
        s.server(result(sent["id"], {}))
        await join(subscribing)
        assert s.session.subscriptions.find("x://a") is not None


async def test_subscribing_opens_a_stream_in_the_modern_era() -> None:
    async with opened() as s:
        s.begin(s.session.subscribe("x://a"))
        assert (await s.client())["method"] == "subscriptions/listen"
