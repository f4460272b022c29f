"""JSON pointers (RFC 6901): made of steps, and taken apart. Pure."""


def escaped(step: str | int) -> str:
    """One step as it stands in a pointer."""
    return str(step).replace("~", "~0").replace("/", "~1")


def unescaped(token: str) -> str:
    """The step that stands in a pointer as `token`."""
    return token.replace("~1", "/").replace("~0", "~")


def pointer(*steps: str | int) -> str:
    """The pointer of these steps; "" for the whole."""
    return "".join("/" + escaped(step) for step in steps)


def steps_of(text: str) -> list[str]:
    """The members and indices that a pointer goes through; none for the whole."""
    return [unescaped(token) for token in text.split("/")[1:]]
