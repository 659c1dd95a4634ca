"""The agent: one turn over a model and tools, and the one way to run a call. Knows no socket, session or vendor.

Above: `assemble` and the server. Below: api, settings, errors. Implementations of models, tools and hooks are
handed in.
"""

from cetp_gateway.agent.calls import run_call
from cetp_gateway.agent.history import trim_history
from cetp_gateway.agent.hook_factories import HookFactories, HookFactory
from cetp_gateway.agent.hook_pipeline import HookPipeline
from cetp_gateway.agent.hook_runner import HookRunner
from cetp_gateway.agent.log_hook import LogHook, outcome_kind
from cetp_gateway.agent.loop import run_turn
from cetp_gateway.agent.outcomes import outcome_output, outcome_text
from cetp_gateway.agent.prompt import estimate_tokens, system_prompt
from cetp_gateway.agent.remembered import remembered_notes
from cetp_gateway.agent.selection import select_tools
from cetp_gateway.agent.stop_reasons import STEP_FOR_STOP_REASON, NextStep
from cetp_gateway.agent.tool_offers import ToolOffers
from cetp_gateway.agent.tool_search import SEARCH_TOOLS, SearchTools, ToolSearch
from cetp_gateway.agent.truncation import truncate_result
from cetp_gateway.agent.turn_job import TurnJob, TurnLimits
from cetp_gateway.agent.whole_results import ResultKeeper

__all__ = [
    "SEARCH_TOOLS",
    "STEP_FOR_STOP_REASON",
    "HookFactories",
    "HookFactory",
    "HookPipeline",
    "HookRunner",
    "LogHook",
    "NextStep",
    "ResultKeeper",
    "SearchTools",
    "ToolOffers",
    "ToolSearch",
    "TurnJob",
    "TurnLimits",
    "estimate_tokens",
    "outcome_kind",
    "outcome_output",
    "outcome_text",
    "remembered_notes",
    "run_call",
    "run_turn",
    "select_tools",
    "system_prompt",
    "trim_history",
    "truncate_result",
]
