"""Rules of icons (`basic`): where their pictures may come from."""

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from inspector.lint.look import Look
from inspector.lint.rule import Rule, pointer, quoted, rule
from inspector.protocol.messages import Json, MessageKind
from inspector.protocol.versions import Revision

ICONS_JUDGED: Final = 2000
_LISTS: Final = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}

RULES: Final[tuple[Rule, ...]] = (
    rule("icon/scheme", "An icon is of a scheme that clients must refuse", "basic", error="DE"),
    rule("icon/cross-origin", "An icon comes from another host", "basic", warn="DE"),
)


def check(look: Look) -> None:
    """Judges the icons that a message tells."""
    if look.revision < Revision.V2025_11_25 or look.kind is not MessageKind.RESULT:
        return
    for place, source in _icons(look):
        try:
            parts = urlsplit(source)
        except ValueError:
            continue
        if parts.scheme.lower() not in ("https", "data"):
            look.report(
                "icon/scheme",
                f"The icon {quoted(source)} must be an https or a data URI.",
                place,
            )
        elif parts.scheme.lower() == "https" and (home := _home(look)) and parts.hostname != home:
            look.report(
                "icon/cross-origin",
                f"The icon {quoted(source)} comes from another host than the server ({home}), which"
                " clients should not trust.",
                place,
            )


def _home(look: Look) -> str:
    try:
        return urlsplit(look.state.url).hostname or ""
    except ValueError:
        return ""


def _icons(look: Look) -> Iterator[tuple[str, str]]:
    holders: list[tuple[str, Json]] = []
    if look.answers("initialize"):
        holders.append(("/result/serverInfo", look.result.get("serverInfo")))
    member = _LISTS.get(look.method, "")
    items = look.result.get(member)
    for index, item in enumerate(items[:ICONS_JUDGED] if isinstance(items, list) else ()):
        holders.append((pointer("result", member, index), item))
    for place, holder in holders:
        icons = holder.get("icons") if isinstance(holder, dict) else None
        for index, icon in enumerate(icons[:10] if isinstance(icons, list) else ()):
            source = icon.get("src") if isinstance(icon, dict) else None
            if isinstance(source, str):
                yield place + pointer("icons", index, "src"), source
