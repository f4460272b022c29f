"""Which scopes are asked for, at first and after a 403."""

import pytest

from inspector.auth.scopes import (
    MOST_STEP_UPS,
    StepUp,
    clean,
    first_scopes,
    split_scope,
    step_up,
    union,
)


def test_the_challenge_comes_before_the_resource() -> None:
    assert first_scopes(("a",), ("b", "c")) == ("a",)
    assert first_scopes(None, ("b", "c")) == ("b", "c")
    assert first_scopes((), ("b",)) == ("b",)


def test_without_either_no_scope_is_sent() -> None:
    assert first_scopes(None, None) is None
    assert first_scopes(None, ()) is None


@pytest.mark.parametrize(
    ("listed", "wants", "scopes"),
    [
        (("offline_access",), True, ("a", "offline_access")),
        (("offline_access",), False, ("a",)),
        (("a",), True, ("a",)),
        (None, True, ("a",)),
    ],
)
def test_offline_access_is_asked_for_only_where_it_is_listed(
    listed: tuple[str, ...] | None, wants: bool, scopes: tuple[str, ...]
) -> None:
    assert first_scopes(("a",), None, server_scopes=listed, wants_refresh=wants) == scopes


def test_offline_access_is_never_asked_for_alone_or_twice() -> None:
    listed = ("offline_access",)
    assert first_scopes(None, None, server_scopes=listed, wants_refresh=True) is None
    both = first_scopes(("offline_access", "a"), None, server_scopes=listed, wants_refresh=True)
    assert both == ("offline_access", "a")


def test_more_scopes_are_asked_for_beside_the_earlier_ones() -> None:
    assert step_up(("a", "b"), ("b", "c"), 0) == StepUp(("a", "b", "c"), ("c",), 1)
    assert step_up(None, ("c",), 1) == StepUp(("c",), ("c",), 2)


def test_scopes_asked_for_in_vain_are_asked_for_again_up_to_the_limit() -> None:
    attempts = 0
    while (again := step_up(("a",), ("a",), attempts)) is not None:
        assert again.added == ()
        attempts = again.attempt
    assert attempts == MOST_STEP_UPS == 3


def test_a_challenge_without_scopes_asks_for_nothing() -> None:
    assert step_up(("a",), None, 0) is None
    assert step_up(("a",), ("\n",), 0) is None


def test_what_is_no_scope_is_left_out() -> None:
    assert split_scope('a  b a "c" \\ é \n d') == ("a", "b", "d")
    assert clean(["a b", "", "\ud800", "files:read"]) == ("files:read",)
    assert union(None, None) == ()
