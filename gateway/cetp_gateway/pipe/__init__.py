"""The browser pipe: signed JSON lines between an agent and the host of a browser (cetp-spec/pipe/README.md).

Values and the executor that a browser implements. Knows nothing of models and tools. Above: `assemble`, the command
line. Below: `cetp_spec.pipe`.
"""

from cetp_gateway.pipe.executor import Executor
from cetp_gateway.pipe.values import Command, Done, Ended, Failed
from cetp_spec.pipe import PipeCode

__all__ = ["Command", "Done", "Ended", "Executor", "Failed", "PipeCode"]
