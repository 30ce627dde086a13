"""The command `synth`: plans and recordings in a terminal, and the pages of the app.

docs/terminal.md shows each command with what it prints.
"""

from collections import deque

FILES: deque[tuple[str, bytes]] = deque(maxlen=1)
"""The file that `synth app` was given, for the first session of this process: no address has it."""
