"""A planner that works without any vendor: it picks tools by their words and reports what they said. No LLM."""

from cetp_gateway.models.offline.model import OfflineModel

__all__ = ["OfflineModel"]
