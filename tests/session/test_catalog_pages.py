"""Pages become a list, also where one item of them cannot be read."""

from inspector.session.catalog_pages import CatalogList, read_page


def answer(items: str, more: str = "") -> bytes:
    """A page of tools."""
    return f'{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{items}]{more}}}}}'.encode()


def test_pages_are_joined_and_every_item_keeps_its_text() -> None:
    first = read_page(CatalogList("tools"), 4, answer('{"name": "a"}'), None)
    both = read_page(first, 6, answer('{"name":"b","x":1.10}'), None)
    assert [item["name"] for item in both.items if isinstance(item, dict)] == ["a", "b"]
    assert both.raw == (b'{"name": "a"}', b'{"name":"b","x":1.10}')
    assert both.entries == (4, 6)
    assert both.pages == 2


def test_an_answer_without_the_list_adds_nothing() -> None:
    before = read_page(CatalogList("tools"), 4, answer('{"name":"a"}'), None)
    assert read_page(before, 6, b'{"jsonrpc":"2.0","id":1,"result":{}}', None) == before


def test_a_page_that_is_no_message_is_read_as_far_as_it_goes() -> None:
    broken = b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"},{"name":"b","x":1e}]}}'
    read = read_page(CatalogList("tools"), 4, broken, None)
    assert [item["name"] for item in read.items if isinstance(item, dict)] == ["a", "b"]
    assert set(read.broken) == {1}
    assert read.error


def test_a_list_lives_as_long_as_the_first_of_its_pages() -> None:
    first = read_page(CatalogList("tools"), 4, answer("", ',"ttlMs":5000'), 100.0)
    both = read_page(first, 6, answer("", ',"ttlMs":1000'), 101.0)
    assert first.freshness is not None
    assert first.freshness.left(101.0) == 4.0
    assert both.freshness is not None
    assert both.freshness.left(101.0) == 1.0
