"""Work in steps, run to its end in one go or with turns for other tasks in between."""

import asyncio
from collections.abc import Generator
from time import perf_counter
from typing import Final, TypeVar

SLICE_S: Final = 0.002
"""Longest stretch of work before other tasks get their turn."""

Result = TypeVar("Result")


def finish(steps: Generator[None, None, Result]) -> Result:
    """Run to the end in one go."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result


async def finish_in_slices(steps: Generator[None, None, Result]) -> Result:
    """Run to the end, and let other tasks run after each slice."""
    started = perf_counter()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result
        if perf_counter() - started > SLICE_S:
            await asyncio.sleep(0)
            started = perf_counter()
