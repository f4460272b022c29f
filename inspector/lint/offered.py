"""Which resources a server offers, as far as its lists said.

Decides whether an address is in no list that was read whole, and fits no template. Judges nothing.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from inspector.lint.look import Look
from inspector.protocol.codes import METHOD_NOT_FOUND
from inspector.protocol.gaps import fills
from inspector.protocol.messages import MessageKind

KEPT: Final = 10_000
_LISTS: Final = {
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
}
_CHANGED: Final = "notifications/resources/list_changed"


@dataclass(slots=True)
class _Walk:
    """A list as far as it was read. `following` is the cursor that its last page gave."""

    items: set[str] = field(default_factory=set)
    following: object = None
    whole: bool = False


@dataclass(slots=True)
class _Kept:
    walks: dict[str, _Walk] = field(default_factory=dict)


def note(look: Look) -> None:
    """Remembers what a page of a list says, and that a list has changed."""
    kept = look.state.held(_Kept)
    if look.method == _CHANGED:
        kept.walks.clear()
    elif look.asked is not None:
        _page(look, kept, look.asked.params.get("cursor"))


def _page(look: Look, kept: _Kept, cursor: object) -> None:
    walk = kept.walks.get(look.method)
    if walk is None or cursor is None:
        walk = kept.walks[look.method] = _Walk()
    elif cursor != walk.following:
        return  # a cursor that the walk did not give: its page says nothing of the list
    if look.kind is MessageKind.ERROR:
        walk.whole = look.error.get("code") == METHOD_NOT_FOUND
        return
    member, name = _LISTS[look.method]
    items = look.result.get(member)
    listed = items if isinstance(items, list) else []
    for item in listed[:KEPT]:
        told = item.get(name) if isinstance(item, dict) else None
        if isinstance(told, str):
            walk.items.add(told)
    walk.following = look.result.get("nextCursor")
    walk.whole = walk.following is None and len(walk.items) < KEPT and look.whole


def unheard_of(look: Look, uri: str) -> bool:
    """Whether the lists were read whole, and none of them has the address."""
    walks = look.state.held(_Kept).walks
    resources, templates = (walks.get(name) for name in _LISTS)
    if resources is None or templates is None or not (resources.whole and templates.whole):
        return False
    return uri not in resources.items and not any(_fits(each, uri) for each in templates.items)


def _fits(template: str, uri: str) -> bool:
    """Whether an address may be one of a template; rather yes, where it is hard to tell."""
    return fills(re.split(r"\{[^{}]*\}", template), uri)
