"""Becomes the agent, after asking the system to end it together with the host (pipe 5.6). Run as a script, on Linux.

Arguments: the host's process id, then the agent's program and its arguments. A program of its own because code that
runs between fork and exec inside the host may deadlock when the host has threads. Uses the standard library alone.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
_CANNOT_RUN = 127


def main() -> int:
    """Does not return when all goes well."""
    host, *command = sys.argv[1:]
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(host):
        # The host died before the system knew of its wish.
        return _CANNOT_RUN
    try:
        os.execvp(command[0], command)  # noqa: S606  (the owner's own program, and no shell)
    except OSError as error:
        sys.stderr.write(f"{command[0]} cannot be started: {error.strerror}\n")
    return _CANNOT_RUN


if __name__ == "__main__":
    sys.exit(main())
