"""What is remembered stays bounded, and the newest is never forgotten."""

from inspector.journal.recent import Recent


def test_what_is_remembered_is_bounded() -> None:
    recent: Recent[int, int] = Recent(10)
    for number in range(1000):
        recent.put(number, number + 1)
    assert recent.get(999) == 1000
    assert recent.get(995) == 996
    assert recent.get(500) is None


def test_nothing_known_is_false_and_anything_known_is_true() -> None:
    recent: Recent[str, int] = Recent()
    assert not recent
    recent.put("a", 0)
    assert recent
    assert recent.get("a") == 0
