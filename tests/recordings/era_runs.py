"""The runs of an era matrix as fastmcp 4.1 brings them: its elicitation works in one era only."""

import json
from typing import Final

from inspector.era_compare import Asked, Run
from inspector.protocol.messages import Json
from inspector.protocol.versions import REVISIONS
from inspector.session.pending import Success

ASKED: Final = Asked(
    "elicitation/create",
    "Greet the whole office?",
    "request",
    {"action": "accept", "content": {"agreed": True}},
    "by policy: accept-defaults",
)
GREETED: Final = "Hello, everybody"
NO_METHOD: Final = "Error calling tool 'greet': Method not found: elicitation/create"
NO_CHANNEL: Final = (
    "elicitation via server-initiated requests is unavailable on 2026-07-28 connections."
)


def _success(text: str, *, failed: bool) -> Success:
    result: Json = {"content": [{"type": "text", "text": text}], "isError": failed}
    return Success(result, json.dumps(result).encode(), 1)


def runs() -> tuple[Run, ...]:
    """One for each revision."""
    texts = (NO_METHOD, NO_METHOD, GREETED, GREETED, NO_CHANNEL)
    return tuple(
        Run(
            revision,
            "done",
            why=f"Offered {revision} as chosen; the server agreed.",
            outcome=_success(text, failed=text != GREETED),
            asked=(ASKED,) if text == GREETED else (),
            seconds=0.012 + place / 1000,
            connection=place + 2,
            entry=40 + place * 40,
            first=34 + place * 40,
            last=72 + place * 40,
            entries=39,
        )
        for place, (revision, text) in enumerate(zip(REVISIONS, texts, strict=True))
    )
