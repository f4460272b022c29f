"""Memory that was freed goes back to the system, where the C library keeps it otherwise.

Reading or judging a million entries makes and drops millions of small things in threads of their
own; what that leaves behind would stay with the process for good. Decides nothing: it is called
when a long piece of work is done.
"""

from contextlib import suppress


def give_back() -> None:
    """Gives freed memory back, where the C library can do that (glibc); a few milliseconds."""
    import ctypes  # not before the first paint

    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
