"""select: options of a list."""

from typing import Annotated

from msgspec import Meta

from cetp_gateway.pipe.browser.execution import Execution, Result
from cetp_gateway.pipe.browser.failures import CommandFailed
from cetp_gateway.pipe.browser.locating import Place, at_element
from cetp_gateway.pipe.browser.notes import well_formed
from cetp_gateway.pipe.browser.params import Located
from cetp_spec.pipe import PipeCode

Choices = Annotated[tuple[Annotated[str, Meta(max_length=1024)], ...], Meta(max_length=100)]


class Select(Located, frozen=True, kw_only=True):
    """Of select; exactly one of values and labels."""

    values: Choices | None = None
    labels: Choices | None = None


async def select(execution: Execution, params: Select) -> Result:
    """Choose options, waiting for those that are not there yet; none at all empties a list that takes several."""
    if (params.values is None) == (params.labels is None):
        raise CommandFailed(PipeCode.PIPE_SCHEMA_INVALID, "params: give either values or labels.")

    async def act(place: Place) -> list[str]:
        return await place.element.select_option(
            value=params.values, label=params.labels, timeout=execution.deadline.left_ms
        )

    return {"selected": [well_formed(value) for value in await at_element(execution, params, act)]}
