"""What header marks in a tool's input schema mean for a session.

Which marks there are and whether they are valid is `inspector.protocol.header_params`; refusing a
call is the session's business.
"""

from typing import Literal

from inspector.protocol.versions import Era

MarksRule = Literal["ignored", "noted", "in force"]
"""Nothing before 2026-07-28, nothing that is enforced over stdio, and all that the specification
says over HTTP."""


def marks_rule(era: Era, transport: str) -> MarksRule:
    """The rule for a session of `era` over `transport`."""
    if era is not Era.MODERN:
        return "ignored"
    return "noted" if transport == "stdio" else "in force"
