"""Why a person's answer to a model's question does not count, in words for REST and for sockets."""

from typing import Final

from cetp_gateway.policy import ReplyStatus

REFUSALS: Final = {
    ReplyStatus.NOT_A_CHOICE: "The question takes only one of its options.",
    ReplyStatus.UNFIT: "The answer is empty or too long.",
    ReplyStatus.NOT_ALLOWED: "This client may not answer (policy.approvers).",
}
"""Why an answer does not count although its question is open."""
