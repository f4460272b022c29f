"""Short spans of time and sizes in words, for lists and exports. Pure."""


def duration(seconds: float) -> str:
    """A short duration in the unit that suits it: `12 ms`, `3.4 s`, `2 m 05 s`."""
    if seconds < 0.0095:
        return f"{seconds * 1000:.1f} ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 99.95:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} m {int(seconds) % 60:02} s"
