"""Which signals from outside end this program: each of them in order, with 128 + its number.

Those that would end it anyhow, had nobody looked, and leave the terminal as it happened to be.
What in order means is decided where they are caught: before the first paint, in the interface, in
a headless run. SIGPIPE is not among them: Python turns it into an error of the write.
"""

import signal
from typing import Final

ENDING: Final = (
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGALRM,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGXCPU,
    signal.SIGVTALRM,
    signal.SIGPROF,
    signal.SIGABRT,
)
