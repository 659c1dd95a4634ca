"""Tool calls as text: for models without calls of their own, and for servers that leave calls in the text.

First the delimiter format ◁ … ▷ that such models are told to use, then every format that models fall back to because
they were trained on it. The parts are plain functions of text; `model` puts them around a ModelProvider.
"""

from cetp_gateway.models.tool_text.answer import Answer, Setting, read_answer
from cetp_gateway.models.tool_text.envelopes import ENVELOPES, MARKS
from cetp_gateway.models.tool_text.found import FoundCall
from cetp_gateway.models.tool_text.model import ToolTextModel
from cetp_gateway.models.tool_text.offered_names import OfferedNames
from cetp_gateway.models.tool_text.step import TextStep

__all__ = [
    "ENVELOPES",
    "MARKS",
    "Answer",
    "FoundCall",
    "OfferedNames",
    "Setting",
    "TextStep",
    "ToolTextModel",
    "read_answer",
]
