"""The terminal interface: the only room that imports Textual.

Textual reads how often it may paint when it is imported. Nothing here animates and the ticker asks
for 20 frames a second at most, so a higher rate costs nothing in a flood, but it paints what a key
changed after 8 ms and not after up to 40.
"""

import os

if "SSH_CONNECTION" not in os.environ:
    os.environ.setdefault("TEXTUAL_FPS", "120")
