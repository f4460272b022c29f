"""The machinery of lenient reading: what is dropped, what is said, what stays."""

from inspector.protocol.lenient import Integer, Invalid, Model, Part, Text, read_as
from inspector.protocol.messages import JsonObject


class Leaf(Part):
    leaf_name: Text
    leaf_size: Integer | None = None


class Thing(Model):
    name: Text
    leaves: list[Leaf] = []
    leaf: Leaf | None = None


def test_only_what_is_wrong_is_dropped_however_deep_it_stands() -> None:
    item: JsonObject = {
        "name": "n",
        "leaves": [{"leafName": "a", "leafSize": "big"}, 5, {"leafName": "b", "leafSize": 2.0}],
        "leaf": {"leafSize": 1},
    }
    thing = read_as(Thing, item)
    assert isinstance(thing, Thing)
    assert [(leaf.leaf_name, leaf.leaf_size) for leaf in thing.leaves] == [("a", None), ("b", 2)]
    assert thing.leaf is None
    assert thing.raw is item
    assert "leaves.0.leafSize is not a number" in thing.odd
    assert "leaf.leafName is missing" in thing.odd


def test_an_optional_list_that_is_none_is_left_out() -> None:
    thing = read_as(Thing, {"name": "n", "leaves": "x"})
    assert isinstance(thing, Thing)
    assert thing.leaves == []
    assert thing.odd == ("leaves is not an array",)


def test_members_are_read_by_their_wire_names_only() -> None:
    thing = read_as(Thing, {"name": "n", "leaf": {"leaf_name": "snake"}})
    assert isinstance(thing, Thing)
    assert thing.leaf is None


def test_a_peer_cannot_set_our_own_members() -> None:
    item: JsonObject = {"name": "n", "raw": 1, "odd": 2, "\0raw": 3, "\0odd": 4}
    thing = read_as(Thing, item)
    assert isinstance(thing, Thing)
    assert thing.raw is item
    assert thing.odd == ()


def test_extra_members_stand_in_for_absent_ones() -> None:
    thing = read_as(Thing, {}, {"name": "given"})
    assert isinstance(thing, Thing)
    assert thing.name == "given"
    assert read_as(Thing, None) == Invalid("is not an object", None)
