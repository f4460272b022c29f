"""The words that lists of the interface show for what a server sent.

The gist of an entry is `inspector.journal.gist`; here is what needs the rooms above the journal.
"""

from inspector.protocol.messages import Json
from inspector.render.values import shown_json


def as_said(value: Json) -> str:
    """A value that should have been a string: itself if it is one, else the JSON it is."""
    return value if isinstance(value, str) else shown_json(value).decode()
