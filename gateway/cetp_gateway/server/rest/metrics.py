"""`/metrics` in Prometheus' text format."""

import asyncio
import importlib

from cetp_gateway.server.rest.routes import Asked, Route, Text

_COLLECTOR = "cetp_gateway.server.rest.metrics_text"


async def show(asked: Asked[None]) -> Text:
    # The Prometheus client is imported when somebody first asks, in a thread: most gateways are never scraped.
    module = await asyncio.to_thread(importlib.import_module, _COLLECTOR)
    text: Text = module.render(asked.service)
    return text


ROUTES = (
    Route(
        method="GET",
        path="/metrics",
        summary="Figures for Prometheus",
        handler=show,
        responses={200: Text},
    ),
)
