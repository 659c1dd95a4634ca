"""What an action is: the form of its params, and a coroutine."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from cetp_gateway.pipe.browser.execution import Execution, Result
from cetp_gateway.pipe.browser.params import Params


class Action(msgspec.Struct, frozen=True):
    """One of pipe 8."""

    params: type[Params]
    run: Callable[[Execution, Any], Awaitable[Result]]
    """Given params of that form. Raises CommandFailed, or Playwright's Error, which is translated."""
    checks_itself: bool = False
    """It makes the domain checks before and after; otherwise they are made around it."""
    leaves: bool = False
    """It is meant to leave the page."""
