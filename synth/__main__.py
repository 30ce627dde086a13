"""`python -m synth` is the command `synth`."""

import sys

from synth.terminal.command import main

if __name__ == "__main__":
    sys.exit(main())
