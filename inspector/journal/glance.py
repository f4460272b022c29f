"""What a journal must know of a message when it arrives: its kind, method and id, nothing more.

The quick reading of `inspector.protocol.messages.read_envelope`, and agreeing with it on every
input; whatever the quick way cannot read goes to `read_envelope`. Decides also in which form a
body is written to a recording. Pure.
"""

import base64
from typing import Final, TypeAlias

import msgspec

from inspector.journal.columns import Form
from inspector.journal.entries import Kind
from inspector.protocol.messages import RequestId, read_envelope

_UNSET: Final = msgspec.UNSET
ABSENT: Final = "\0absent"
"""Stands for an absent member, told by identity."""
_JSON: Final = Form.JSON
_TEXT: Final = Form.TEXT
_REQUEST: Final = int(Kind.REQUEST)
_RESULT: Final = int(Kind.RESULT)
_ERROR: Final = int(Kind.ERROR)
_NOTIFICATION: Final = int(Kind.NOTIFICATION)
_MALFORMED: Final = int(Kind.MALFORMED)


Glance: TypeAlias = tuple[int, str, RequestId | None, Form]
"""Kind, method ("" for outcomes) and id (None where absent or no id) of a message, and the form
in which it stands in a line."""


class Wire(msgspec.Struct, gc=False):
    """The members that tell what a message is; `id` and `method` are `ABSENT` where absent."""

    id: int | str = ABSENT
    method: str = ABSENT
    result: msgspec.Raw | msgspec.UnsetType = _UNSET
    error: msgspec.Raw | msgspec.UnsetType = _UNSET


_wire: Final = msgspec.json.Decoder(Wire).decode
_any_json: Final = msgspec.json.Decoder(msgspec.Raw).decode


def glance(raw: bytes) -> Glance:
    """What `raw` is. Never raises."""
    try:
        wire = _wire(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        envelope = read_envelope(raw)
        form = form_of(raw, is_json(raw))
        return int(envelope.kind), envelope.method, envelope.id, form
    form = _JSON if raw.isascii() and 10 not in raw and 13 not in raw else form_of(raw, True)
    if form is Form.BASE64:  # the decoder looks at no string that it skips
        envelope = read_envelope(raw)
        return int(envelope.kind), envelope.method, envelope.id, form
    request_id = None if wire.id is ABSENT else wire.id
    method = wire.method
    if method is not ABSENT:
        return _NOTIFICATION if request_id is None else _REQUEST, method, request_id, form
    if wire.result is _UNSET:
        return _MALFORMED if wire.error is _UNSET else _ERROR, "", request_id, form
    if request_id is None or wire.error is not _UNSET:
        return _MALFORMED, "", request_id, form
    return _RESULT, "", request_id, form


def is_json(raw: bytes) -> bool:
    """Whether `raw` is JSON that any reader accepts."""
    try:
        _any_json(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False
    return True


def form_of(raw: bytes, valid: bool) -> Form:
    """How `raw` can stand in a line; `valid` says that it is JSON."""
    if not raw.isascii():
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError:
            return Form.BASE64
    return _TEXT if not valid or 10 in raw or 13 in raw else _JSON


def to_stored(raw: bytes, form: Form) -> bytes:
    """The JSON text that stands for `raw` in a line of this form."""
    if form is Form.JSON:
        return raw
    if form is Form.TEXT:
        return msgspec.json.encode(raw.decode("utf-8"))
    return b'"' + base64.b64encode(raw) + b'"'


def from_stored(stored: bytes, form: Form) -> bytes:
    """The bytes that `to_stored` was given. ValueError where `stored` is none of its making."""
    if form is Form.JSON:
        return stored
    try:
        text = msgspec.json.decode(stored, type=str)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error
    if form is Form.TEXT:
        return text.encode("utf-8")
    return base64.b64decode(text, validate=True)
