"""`python -m synth` is the command `synth`."""

import sys

from synth.terminal.command import main

sys.exit(main())
