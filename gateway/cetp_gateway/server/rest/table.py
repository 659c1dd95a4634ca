"""The route table: everything the REST side answers, in one place. A fixed path stands before the pattern it fits."""

from typing import Any

from cetp_gateway.server.rest import (
    admin,
    approvals,
    audit,
    autonomy,
    config,
    cost,
    health,
    memory,
    memory_transfer,
    metrics,
    models,
    pairing_routes,
    personality,
    personas,
    questions,
    schedules,
    session_tools,
    sessions,
    skills,
    status,
    tool_call,
    tools,
    webhook,
)
from cetp_gateway.server.rest.openapi import describe
from cetp_gateway.server.rest.routes import Access, Asked, Route


async def show_openapi(asked: Asked[None]) -> dict[str, Any]:  # noqa: ARG001  (every handler is asked)
    return describe(TABLE)


TABLE: tuple[Route, ...] = (
    *health.ROUTES,
    *pairing_routes.ROUTES,
    *admin.ROUTES,
    Route(
        method="GET",
        path="/openapi.json",
        summary="This description",
        handler=show_openapi,
        access=Access.PUBLIC,
        responses={200: dict[str, Any]},
    ),
    *metrics.ROUTES,
    *webhook.ROUTES,
    *status.ROUTES,
    *tools.ROUTES,
    *tool_call.ROUTES,
    *approvals.ROUTES,
    *questions.ROUTES,
    *audit.ROUTES,
    *sessions.ROUTES,
    *autonomy.ROUTES,
    *session_tools.ROUTES,
    *personas.ROUTES,
    *personality.ROUTES,
    *skills.ROUTES,
    *memory.ROUTES,
    *memory_transfer.ROUTES,
    *config.ROUTES,
    *models.ROUTES,
    *cost.ROUTES,
    *schedules.ROUTES,
)
