"""Programs in a world of their own: few files, no network, bounded, and gone when their time is over.

What the system has is used (Landlock, namespaces, resource limits), and what it lacks is said. Above: `commands`, the
queries over data. Below: nothing of ours.
"""

from cetp_gateway.builtin.confined.process import Ended, run_confined
from cetp_gateway.builtin.confined.sandbox_state import SandboxState, sandbox_state
from cetp_gateway.builtin.confined.world import World

__all__ = ["Ended", "SandboxState", "World", "run_confined", "sandbox_state"]
