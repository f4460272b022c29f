"""What the journal notes of a connection when it begins."""

from inspector.config.targets import Target
from inspector.protocol.messages import Json, JsonObject
from inspector.session.options import Options


def connection_facts(target: Target, options: Options) -> JsonObject:
    """What the journal notes of a connection: the names of the environment, never its values."""
    env: list[Json] = [*sorted(target.env)]
    headers: list[Json] = [name for name, _ in target.headers]
    command: list[Json] = [*target.command]
    return {
        "name": target.name,
        "command": command,
        "url": target.url,
        "transport": target.transport,
        "cwd": str(target.cwd) if target.cwd else "",
        "env": env,
        "headers": headers,
        "protocol": options.protocol,
    }
