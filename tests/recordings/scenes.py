"""What a person does on the stage before a picture is taken: one scene for every screen.

Which of them become README pictures and which become snapshots is decided by `screenshots.make`
and `tests.tui.snapshots`; what a scene can do, by `tests.recordings.play`.
"""

from typing import Final

from tests.recordings.scenes_asks import ASKS
from tests.recordings.scenes_debugging import DEBUGGING
from tests.recordings.scenes_items import ITEMS
from tests.recordings.scenes_start import START
from tests.recordings.scenes_traffic import TRAFFIC

SCENES: Final = (*ITEMS, *ASKS, *TRAFFIC, *DEBUGGING, *START)
