"""From a JSON pointer to a line, and to the nearest one where there is no such place."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.json_pointer import steps_of
from inspector.render.pointed import LIMIT, line_of

BODY = {
    "result": {
        "tools": [{"name": "a"}, {"name": "b", "inputSchema": {"type": 5, "a/b": {"~": None}}}],
        "empty": {},
        "none": [],
    },
    "id": 1,
}
SHOWN = msgspec.json.format(json.dumps(BODY).encode(), indent=2)


def text_at(pointer: str) -> str:
    return SHOWN.split(b"\n")[line_of(SHOWN, pointer)[0]].decode().strip()


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        ("", "{"),
        ("/id", '"id": 1'),
        ("/result/tools/0/name", '"name": "a"'),
        ("/result/tools/1", "{"),
        ("/result/tools/1/inputSchema/type", '"type": 5,'),
        ("/result/tools/1/inputSchema/a~1b/~0", '"~": null'),
    ],
)
def test_a_pointer_leads_to_its_line(pointer: str, text: str) -> None:
    assert text_at(pointer) == text
    assert line_of(SHOWN, pointer)[1]


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        ("/result/tools/7/name", '"tools": ['),
        ("/result/empty/x", '"empty": {},'),
        ("/result/none/0", '"none": []'),
        ("/id/deeper", '"id": 1'),
        ("/result/tools/1/inputSchema/required", '"inputSchema": {'),
    ],
)
def test_a_pointer_to_nothing_leads_to_what_is_around_it(pointer: str, text: str) -> None:
    assert text_at(pointer) == text
    assert not line_of(SHOWN, pointer)[1]


def test_what_is_very_long_is_not_searched() -> None:
    assert line_of(b"[\n" + b" " * LIMIT + b"\n]", "/0") == (0, False)


@given(
    st.recursive(
        st.integers() | st.text(max_size=5) | st.none(),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
        ),
        max_leaves=20,
    ),
    st.data(),
)
def test_every_place_in_any_value_is_found(value: object, data: st.DataObject) -> None:
    pointer, here = "", value
    while isinstance(here, dict | list) and here and data.draw(st.booleans()):
        if isinstance(here, dict):
            key = data.draw(st.sampled_from(sorted(here)))
            pointer += "/" + key.replace("~", "~0").replace("/", "~1")
            here = here[key]
        else:
            place = data.draw(st.integers(0, len(here) - 1))
            pointer += f"/{place}"
            here = here[place]
    shown = msgspec.json.format(msgspec.json.encode(value), indent=2)
    line, exact = line_of(shown, pointer)
    assert exact
    text = shown.split(b"\n")[line].strip().rstrip(b",")
    rest = text.split(b'": ', 1)[-1] if steps_of(pointer) and text.startswith(b'"') else text
    if not isinstance(here, dict | list):
        assert text.endswith(msgspec.json.encode(here))
    else:
        assert rest[:1] in (b"{", b"[")
