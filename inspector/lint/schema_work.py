"""How much work it is to try a value on a schema, told before anybody does it.

A short schema can make a validator think for longer than anybody lives: alternatives that refer to
themselves, `unevaluatedProperties` in each other, ten thousand constants for each of ten thousand
items. The linter validates in the process that also listens to the server, so it asks here first.
Decides by an upper bound: how often each part of the schema may be tried at each depth of the
value, and what a try costs. What cannot be told, as where a reference leads, is too much.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final

from inspector.protocol.json_pointer import steps_of
from inspector.protocol.messages import Json, JsonObject

WORK: Final = 100_000
"""Tries of a keyword that are no trouble, each a fraction of a microsecond."""
PARTS: Final = 20_000
"""Schemas inside of a schema that are looked at."""
STEPS: Final = 20_000
"""Ways from one schema to another that are followed to find the bound."""
LEVELS: Final = 1000
STATES: Final = 20_000
"""What a pattern may come to: the engine is told to refuse larger ones."""
PATTERN_BYTES: Final = 1 << 20
_CHARACTERS: Final = 64
"""Steps of a regular expression that cost as much as one try of a keyword."""
_AGAIN: Final = 2
"""An alternative that fails is tried once more to tell why."""
_UNEVALUATED: Final = 3
"""So often is all inside tried where a keyword asks what was evaluated."""

_SAME_LISTS: Final = (("allOf", 1), ("anyOf", _AGAIN), ("oneOf", _AGAIN))
_SAME: Final = ("not", "if", "then", "else")
_MEMBERS: Final = ("additionalProperties", "unevaluatedProperties")
_ITEMS: Final = ("items", "additionalItems", "unevaluatedItems", "contains")
_ELSEWHERE: Final = ("$dynamicRef", "$recursiveRef")
_COUNT: Final = re.compile(r"\{(\d{1,9})?,?(\d{1,9})?\}")
_WIDE: Final = re.compile(r"\\[wWpP]|\[\^")


@dataclass(slots=True)
class _Part:
    """One schema: what a try of it costs, and which others it hands the value or its parts to."""

    own: int = 1
    states: int = 0
    """Of its `pattern`; of those of its `patternProperties` together `key_states`."""
    key_states: int = 0
    same: list[tuple[int, int]] = field(default_factory=list)
    named: list[tuple[str, int]] = field(default_factory=list)
    placed: list[int] = field(default_factory=list)
    members: list[int] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    names: list[int] = field(default_factory=list)
    times: int = 1


@dataclass(slots=True)
class _Level:
    """The values at one depth: how many, and how many characters; by the name of a member too."""

    members: int = 0
    items: int = 0
    member_text: int = 0
    item_text: int = 0
    key_text: int = 0
    named: dict[str, tuple[int, int]] = field(default_factory=dict)


class Plan:
    """What there is to try of one schema; `bound` tells for a value how much that is."""

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._parts: list[_Part] = []
        self._ids: dict[int, int] = {}
        self._ranks: list[int] = []
        self.possible = self._read() and self._ranked()
        """Whether anything can be told of this schema."""

    def allows(self, value: Json, *, reasons: bool = False) -> bool:
        """Whether to try the value is surely no more than `WORK`; `reasons`: and to tell why it
        fails."""
        return self.possible and self.bound(value, reasons=reasons) <= WORK

    # -- the schema --

    def _read(self) -> bool:
        waiting: list[Json] = []
        self._number(self._root, waiting)
        refers = resources = False
        done = 0
        while done < len(waiting):
            schema = waiting[done]
            part = self._parts[done]
            done += 1
            if not isinstance(schema, dict):
                continue
            if len(waiting) > PARTS or any(key in schema for key in _ELSEWHERE):
                return False
            resources = resources or (
                done > 1 and any(isinstance(schema.get(key), str) for key in ("$id", "id"))
            )
            if isinstance(reference := schema.get("$ref"), str):
                refers = True
                target = self._target(reference)
                if target is None:
                    return False
                part.same.append((self._number(target, waiting), 1))
            self._take(part, schema, waiting)
        return not (refers and resources)

    def _number(self, schema: Json, waiting: list[Json]) -> int:
        """The number of a schema; one that was not met before waits to be read."""
        number = self._ids.get(id(schema))
        if number is None or not isinstance(schema, dict):
            number = self._ids[id(schema)] = len(self._parts)
            self._parts.append(_Part())
            waiting.append(schema)
        return number

    def _target(self, reference: str) -> Json:
        if reference == "#":
            return self._root
        if not reference.startswith("#/"):
            return None
        here: Json = self._root
        for step in steps_of(reference[1:]):
            if isinstance(here, dict):
                here = here.get(step)
            elif isinstance(here, list) and step.isascii() and step.isdigit() and len(step) < 8:
                here = here[int(step)] if int(step) < len(here) else None
            else:
                return None
        return here

    def _take(self, part: _Part, schema: JsonObject, waiting: list[Json]) -> None:
        def inner(one: Json) -> int:
            return self._number(one, waiting)

        part.own = len(schema) + sum(_parts_in(schema.get(key)) for key in ("enum", "const"))
        part.own += _parts_in(schema.get("required"))
        if isinstance(pattern := schema.get("pattern"), str):
            part.states = states_of(pattern)
        if "unevaluatedProperties" in schema or "unevaluatedItems" in schema:
            part.times = _UNEVALUATED
        for keyword, times in _SAME_LISTS:
            part.same += [(inner(one), times) for one in _schemas(schema.get(keyword))]
        part.same += [(inner(schema[key]), _AGAIN) for key in _SAME if key in schema]
        for keyword in ("dependentSchemas", "dependencies"):
            part.same += [(inner(one), _AGAIN) for _, one in _named(schema.get(keyword))]
        part.named = [(name, inner(one)) for name, one in _named(schema.get("properties"))]
        for pattern, one in _named(schema.get("patternProperties")):
            part.key_states += states_of(pattern)
            part.members.append(inner(one))
        part.members += [inner(schema[key]) for key in _MEMBERS if key in schema]
        for keyword in _ITEMS:
            held = schema.get(keyword)
            if isinstance(held, list):
                part.placed += [inner(one) for one in held]
            elif held is not None:
                part.items.append(inner(held))
        part.placed += [inner(one) for one in _schemas(schema.get("prefixItems"))]
        if "propertyNames" in schema:
            part.names.append(inner(schema["propertyNames"]))

    def _ranked(self) -> bool:
        """Orders the schemas so that what is handed the same value comes later; false where one
        is handed it back."""
        parts, ranks = self._parts, [-1] * len(self._parts)
        rank = len(parts)
        open_ones: set[int] = set()
        for start in range(len(parts)):
            if ranks[start] >= 0:
                continue
            stack = [(start, iter(parts[start].same))]
            open_ones.add(start)
            while stack:
                number, following = stack[-1]
                for one, _ in following:
                    if one in open_ones:
                        return False
                    if ranks[one] < 0:
                        open_ones.add(one)
                        stack.append((one, iter(parts[one].same)))
                        break
                else:
                    stack.pop()
                    open_ones.discard(number)
                    rank -= 1
                    ranks[number] = rank
        self._ranks = ranks
        return True

    # -- a value --

    def bound(self, value: Json, *, reasons: bool = True) -> int:
        """How many tries of a keyword it is at most, more than `WORK` where that is not told."""
        levels = _levels(value)
        if len(levels) > LEVELS:
            return WORK + 1
        total = steps = 0
        text = len(value) if isinstance(value, str) else 0
        tries = _Tries()
        tries.add(0, self._ranks[0], 1, 1, text)
        for level in levels:
            following = _Tries()
            while tries.waiting:
                _, number = heappop(tries.waiting)
                count, most, text = tries.found[number]
                part = self._parts[number]
                edges = len(part.same) + len(part.placed) + len(part.items) + len(part.members)
                steps += 1 + edges + len(part.named)
                total += count * part.own + text * part.states // _CHARACTERS
                total += most * len(part.members) * level.members
                total += most * level.key_text * part.key_states // _CHARACTERS
                if total > WORK or steps > STEPS:
                    return WORK + 1
                times = part.times
                for one, again in part.same:
                    again = again * times if reasons else times
                    rank = self._ranks[one]
                    tries.add(one, rank, count * again, most * again, text * again)
                self._hand_on(part, count * times, most * times, level, following)
            tries = following
        return total

    def _hand_on(
        self, part: _Part, count: int, most: int, level: _Level, following: "_Tries"
    ) -> None:
        """What a part has the members and items of its values tried on."""
        ranks = self._ranks
        for name, one in part.named:
            if name in level.named:
                times, text = level.named[name]
                following.add(one, ranks[one], min(count, most * times), most, most * text)
        if level.members:
            for one in part.members:
                times, text = most * level.members, most * level.member_text
                following.add(one, ranks[one], times, most, text)
            for one in part.names:
                times, text = most * level.members, most * level.key_text
                following.add(one, ranks[one], times, most, text)
        if level.items:
            for one in part.items:
                times, text = most * level.items, most * level.item_text
                following.add(one, ranks[one], times, most, text)
            for one in part.placed:
                following.add(one, ranks[one], count, most, most * level.item_text)


class _Tries:
    """Of each schema at one depth: how often it is tried in all, how often on one value at most,
    and on how many characters."""

    __slots__ = ("found", "waiting")

    def __init__(self) -> None:
        self.found: dict[int, tuple[int, int, int]] = {}
        self.waiting: list[tuple[int, int]] = []

    def add(self, number: int, rank: int, count: int, most: int, text: int) -> None:
        """So many tries more."""
        known = self.found.get(number)
        if known is None:
            heappush(self.waiting, (rank, number))
            self.found[number] = count, most, text
        else:
            self.found[number] = known[0] + count, known[1] + most, known[2] + text


def states_of(pattern: str) -> int:
    """How many states the automaton of a pattern has at most, roughly; `STATES` for too many."""
    states = 1 + len(pattern) + 300 * len(_WIDE.findall(pattern)) + 10 * pattern.count(".")
    for least, most in _COUNT.findall(pattern):
        states *= max(1, int(most or 0), int(least or 0))
        if states > STATES:
            return STATES
    return min(states, STATES)


def _parts_in(value: Json) -> int:
    """How many values there are in one, itself included; counted no further than it matters."""
    count = 0
    waiting = [value]
    while waiting and count <= WORK:
        one = waiting.pop()
        count += 1
        if isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
    return count


def _schemas(held: Json) -> list[Json]:
    return held if isinstance(held, list) else []


def _named(held: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(held, dict):
        yield from held.items()


def _levels(value: Json) -> list[_Level]:
    """What stands below a value at each depth; the last level has nothing."""
    levels: list[_Level] = []
    here = [value]
    while here and len(levels) <= LEVELS:
        level, below = _Level(), list[Json]()
        named: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for one in here:
            if isinstance(one, dict):
                level.members += len(one)
                for name, member in one.items():
                    counted = named[name]
                    counted[0] += 1
                    level.key_text += len(name)
                    if isinstance(member, str):
                        counted[1] += len(member)
                        level.member_text += len(member)
                    elif isinstance(member, dict | list):
                        below.append(member)
            elif isinstance(one, list):
                level.items += len(one)
                for item in one:
                    if isinstance(item, str):
                        level.item_text += len(item)
                    elif isinstance(item, dict | list):
                        below.append(item)
        level.named = {name: (count, text) for name, (count, text) in named.items()}
        levels.append(level)
        here = below
    # The values of the last level that has any are tried too, though nothing is below them.
    levels.append(_Level())
    return levels
