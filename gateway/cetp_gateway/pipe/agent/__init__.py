"""The browser as tools of our runtime: what a model may ask for, and under which rules it crosses the pipe.

Knows nothing of models, policies and processes. Above: the command line, which puts it into a runtime. Below:
`pipe.AgentLink`, api, settings.
"""

from cetp_gateway.pipe.agent.browser import Browser
from cetp_gateway.pipe.agent.hook import BrowserHook
from cetp_gateway.pipe.agent.rules import DomainRules
from cetp_gateway.pipe.agent.tools import BrowserTool, browser_tools, tool_name
from cetp_gateway.pipe.agent.trail import CommandRecord, Trail

__all__ = [
    "Browser",
    "BrowserHook",
    "BrowserTool",
    "CommandRecord",
    "DomainRules",
    "Trail",
    "browser_tools",
    "tool_name",
]
