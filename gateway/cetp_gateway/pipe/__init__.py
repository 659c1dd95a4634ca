"""The browser pipe: signed JSON lines between an agent and the host of a browser (cetp-spec/pipe/README.md).

Bytes become lines (`lines`), lines events (`host_session`, `agent_session`, both without I/O), and a link is each
side's only reader and writer. Knows nothing of models and tools, and of the browser only its `Executor`. Above:
`assemble`, the command line. Below: `cetp_spec.pipe`, `errors`.
"""

from cetp_gateway.pipe.agent_link import AgentLink
from cetp_gateway.pipe.circuit import CircuitNotice, Circuits, CircuitState
from cetp_gateway.pipe.executor import Executor
from cetp_gateway.pipe.host_link import HostLink, HostOptions
from cetp_gateway.pipe.keeper import Keeper, RestartPolicy
from cetp_gateway.pipe.session_end import SessionEnd, SessionState
from cetp_gateway.pipe.stdio import Stdio, take_stdio
from cetp_gateway.pipe.values import Command, Done, Ended, Failed
from cetp_spec.pipe import PipeCode

__all__ = [
    "AgentLink",
    "CircuitNotice",
    "CircuitState",
    "Circuits",
    "Command",
    "Done",
    "Ended",
    "Executor",
    "Failed",
    "HostLink",
    "HostOptions",
    "Keeper",
    "PipeCode",
    "RestartPolicy",
    "SessionEnd",
    "SessionState",
    "Stdio",
    "take_stdio",
]
