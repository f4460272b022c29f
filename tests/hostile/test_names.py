"""Names that pass for others: each of 500 and more confusable signs is flagged wherever a name
stands, and is drawn other than the name that it imitates."""

import unicodedata
from itertools import chain
from typing import Final

from inspector.protocol.messages import Json, JsonObject
from inspector.render.safe import suspicious
from inspector.session.catalog import CatalogList
from inspector.tui.views.tools_items import draw_item, read_items

BLOCKS: Final = (
    *(range(0x1D400, 0x1D800), range(0xFF10, 0xFF5B), range(0x2100, 0x2184), range(0x24B6, 0x24EA)),
    *(range(0x1F110, 0x1F14A), range(0x1D00, 0x1D6B), range(0x1D6B, 0x1DC0), range(0x250, 0x2B0)),
    *(range(0x13A0, 0x13F6), range(0xA4D0, 0xA4F8), range(0x2C80, 0x2CE4), range(0x10400, 0x10450)),
    *(range(0x370, 0x400), range(0x400, 0x530), range(0x531, 0x588), range(0x660, 0x66A)),
)
"""Where letters and digits look like those of ASCII: mathematical ones, wide ones, those of other
scripts, small capitals, Roman numbers, letters in circles."""
SINGLE: Final = (
    "ıǀƖɩʟᴏ０Ⅰⅼ٠۰०০๐໐ဝ၀〇ㅇㅣ丨一ノロ口工⁰ᵃªº‐‑‒–—−－⁄∕／․·‧ː：；，＿﹍‿⁀ˍꓸ｡ـוןסاهﺎ𐌀𐊠𐊡ⲟߋⵏⵔ"
)
SPACES: Final = (
    "\u00a0\u1680\u2000\u2003\u2009\u202f\u205f\u3000\u2800\u115f\u3164\uffa0\u200b\u2060"
)


def confusables() -> list[str]:
    """Signs that can be taken for others."""
    found = [sign for sign in map(chr, chain(*BLOCKS)) if unicodedata.category(sign)[0] in "LN"]
    kept = [*found, *SINGLE, *SPACES]
    # A letter with an accent is what it looks like.
    return [one for one in kept if not unicodedata.normalize("NFD", one)[0].isascii()]


def listed(kind: str, values: list[Json]) -> list[tuple[str, str]]:
    """The items of a list: how each is drawn, and its warnings."""
    raw = [b"{}"] * len(values)
    items = read_items(CatalogList(kind, "ready", tuple(values), tuple(raw)))  # type: ignore[arg-type]
    return [(draw_item(item, 40).plain, " ".join(item.warnings)) for item in items]


def test_there_are_enough_of_them() -> None:
    assert len(set(confusables())) >= 1500


def test_every_confusable_name_is_flagged() -> None:
    for sign in confusables():
        for name in (f"to{sign}l", f"{sign}ool", f"get_tool{sign}"):
            assert suspicious(name), (hex(ord(sign)), name)


def test_the_lists_of_tools_prompts_and_resources_flag_them_and_draw_them_apart() -> None:
    names = ["tool", *(f"to{sign}l" for sign in confusables())]
    values: dict[str, list[Json]] = {
        "tools": [{"name": name, "inputSchema": {"type": "object"}} for name in names],
        "prompts": [{"name": name} for name in names],
        "resources": [{"name": name, "uri": f"x:{n}"} for n, name in enumerate(names)],
    }
    for kind, items in values.items():
        drawn = listed(kind, items)
        calm, flagged = drawn[0], drawn[1:]
        assert "!" not in calm[0]
        assert not calm[1]
        assert all("!" in line and told for line, told in flagged), kind
        assert len({line for line, _ in drawn}) == len(set(names)), kind


def test_names_of_servers_are_flagged() -> None:
    from inspector.tui.views.server import name_warnings

    assert name_warnings({"name": "github", "title": "GitHub 検索 für Köln"}) == []
    for sign in confusables():
        info: JsonObject = {"name": f"gith{sign}b", "title": "x"}
        assert name_warnings(info), hex(ord(sign))
    assert name_warnings({"name": "x", "title": "Git\u202eHub"})
    assert name_warnings({"name": "x", "title": "Gіthub Tools"})  # a letter of another script
