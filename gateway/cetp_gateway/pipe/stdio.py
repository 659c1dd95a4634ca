"""An agent's standard input and output, taken over for the protocol (pipe 3.5).

From then on whatever prints in this process, in any language, prints to standard error.
"""

import os
import sys
from typing import IO, NamedTuple


class Stdio(NamedTuple):
    """What the process was started with; whoever holds them closes them."""

    input: IO[bytes]
    output: IO[bytes]


def take_stdio() -> Stdio:
    """Take both over. To be called once, before anything is loaded that may print."""
    sys.stdout.flush()
    own_input, own_output = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Stdio(os.fdopen(own_input, "rb", buffering=0), os.fdopen(own_output, "wb", buffering=0))
