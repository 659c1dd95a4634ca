"""Builds a Runtime from Settings: the one place that knows every implementation.

Above: the server, which answers with it, and the command line, which starts it. Below: every room with an
implementation of an extension point.
"""

from cetp_gateway.assemble.open import assemble
from cetp_gateway.assemble.parts import Parts
from cetp_gateway.assemble.reloading import Reloaded
from cetp_gateway.assemble.runtime import Runtime
from cetp_gateway.assemble.settings_watch import SettingsWatch

__all__ = ["Parts", "Reloaded", "Runtime", "SettingsWatch", "assemble"]
