"""Prompts that run at their time: kept in SQLite, started by one task, each run a turn like any other.

Above: assemble, the server. Below: tools' registry, devices, storage, settings, api. The room knows no session and no
agent; what asks a turn is given to it.
"""

from cetp_gateway.schedules.book import ScheduleBook
from cetp_gateway.schedules.clock import Clock, SystemClock
from cetp_gateway.schedules.presence import Presence
from cetp_gateway.schedules.room import open_schedules
from cetp_gateway.schedules.turns import AskTurn

__all__ = ["AskTurn", "Clock", "Presence", "ScheduleBook", "SystemClock", "open_schedules"]
