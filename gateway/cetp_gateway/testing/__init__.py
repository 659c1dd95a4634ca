"""Counterparts for tests, ours and our users': a model that follows a script, a gateway for authors of bridges.

Above: nothing but tests.
"""

from cetp_gateway.testing.device_socket import DeviceSocket
from cetp_gateway.testing.fake_gateway import FakeGateway
from cetp_gateway.testing.scripted_model import Hold, Script, ScriptedModel, ScriptedStep

__all__ = ["DeviceSocket", "FakeGateway", "Hold", "Script", "ScriptedModel", "ScriptedStep"]
