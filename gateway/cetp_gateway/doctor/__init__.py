"""`cetp doctor`: every precondition of a gateway with its state and, where it is not met, what to do.

Looks and never changes anything; no finding holds a secret. Beside the server, whose answers it is given when a gateway
runs. Above: the command line. Below: `assemble` and every room that has something to look at.
"""

from cetp_gateway.doctor.case import Case, Running
from cetp_gateway.doctor.examination import examine
from cetp_gateway.doctor.finding import Finding, State

__all__ = ["Case", "Finding", "Running", "State", "examine"]
