"""Counterparts for tests, ours and our users': a model that follows a script. Above: nothing but tests."""

from cetp_gateway.testing.scripted_model import Hold, Script, ScriptedModel, ScriptedStep

__all__ = ["Hold", "Script", "ScriptedModel", "ScriptedStep"]
