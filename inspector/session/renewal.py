"""What goes from a session that the server forgot to the one that took its place.

Decides what a person had asked of the server and would have to ask again: the log level, the
subscribed resources, the lists that were looked at. Opening the new session is the workbench's
business; a call that was open is not sent again, since it may have been carried out.
"""

from typing import Final

from inspector.errors import InspectorError
from inspector.protocol.messages import Json, JsonObject
from inspector.session.pending import Success
from inspector.session.session import Session

RESTORING: Final = frozenset({"logging/setLevel", "resources/subscribe"})
"""Methods of the requests that restoring makes: that they work says little of a new session."""


async def restore(before: Session, after: Session) -> None:
    """Asks `after` for what `before` had; what of it is refused stands in the journal."""
    restored: list[Json] = []
    failed: list[Json] = []
    try:
        level = before.state.log_level
        if level is not None and not after.undeclared("logging/setLevel"):
            call = await after.set_log_level(level)
            worked = call is None or isinstance(call.outcome, Success)
            (restored if worked else failed).append(f"log level {level}")
        for item in before.subscriptions.items:
            if after.undeclared("resources/subscribe"):
                failed.append(item.uri)
                continue
            call = await after.subscribe(item.uri)
            (restored if isinstance(call.outcome, Success) else failed).append(item.uri)
    except InspectorError as error:  # the new session is over, too
        failed.append(error.message)
    if restored or failed:
        facts: JsonObject = {"restored": restored, "failed": failed}
        after.engine.journal.event("session-restored", facts, connection=after.state.connection)
    for kind, known in before.catalog.lists.items():
        if known.state in ("ready", "stale", "loading") and after.state.ready:
            await after.catalog.look(kind)
