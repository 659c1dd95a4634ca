"""Pages of our own under several names of this machine: the files of pipe_pages/ and what a file cannot do."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

FOLDER = Path(__file__).parent / "pipe_pages"
LIMIT_S = 10.0
IDN = "bücher.example"
IDN_DOMAIN = "xn--bcher-kva.example"
NAMES = ("--host-resolver-rules=MAP *.example 127.0.0.1",)
"""Chromium knows all names below localhost; these it must be told."""


async def _page(request: Request) -> Response:
    # A view of the single-page application is the application.
    return FileResponse(FOLDER / f"{request.path_params['name']}.html")


async def _login(request: Request) -> Response:
    form = dict(part.partition("=")[::2] for part in (await request.body()).decode().split("&"))
    if form != {"user": "ada", "password": "secret"}:
        return RedirectResponse("/login.html?wrong", status_code=303)
    answer = RedirectResponse("/account", status_code=303)
    answer.set_cookie("who", "Ada", httponly=True)
    return answer


async def _account(request: Request) -> Response:
    who = request.cookies.get("who", "nobody")
    return HTMLResponse(f"<title>Account</title><h1>Hello {who}</h1>")


async def _after(request: Request) -> Response:
    """A server that takes its time: the slowness is what pages with it are about."""
    await asyncio.sleep(int(request.path_params["ms"]) / 1000)
    return PlainTextResponse("late")


async def _hanging(request: Request) -> Response:
    """Never answers; ends when the browser goes away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    return Response(status_code=499)


async def _redirect(request: Request) -> Response:
    return RedirectResponse(request.query_params["to"])


async def _script_redirect(request: Request) -> Response:
    return HTMLResponse(f"<title>Off</title><script>location.replace({request.query_params['to']!r})</script>")


async def _sandboxed(request: Request) -> Response:
    policy = {"content-security-policy": "sandbox allow-scripts"}
    return HTMLResponse("<title>Uploaded</title><script>origin = 'http://a.localhost'</script><p>x</p>", headers=policy)


async def _download(request: Request) -> Response:
    return Response(b"bytes", headers={"content-disposition": 'attachment; filename="prices.bin"'})


async def _nothing(request: Request) -> Response:
    return Response(status_code=204)


async def _missing(request: Request) -> Response:
    return HTMLResponse("<title>Missing</title><p>No such page.</p>", status_code=404)


def pages_app() -> Starlette:
    """All pages; what they are for stands in their names."""
    return Starlette(
        routes=[
            Route("/{name:str}.html", _page),
            Route("/{name:str}.html/{view:str}", _page),
            Route("/login", _login, methods=["POST"]),
            Route("/account", _account),
            Route("/after/{ms:int}", _after),
            Route("/hanging", _hanging),
            Route("/redirect", _redirect),
            Route("/script-redirect", _script_redirect),
            Route("/sandboxed", _sandboxed),
            Route("/download", _download),
            Route("/nothing", _nothing),
            Route("/{rest:path}", _missing),
        ]
    )


class _QuietServer(uvicorn.Server):
    """Leaves signals to the test run."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serving_pages() -> AsyncIterator[int]:
    """Serve them on this machine; the port."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(pages_app(), log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    server = _QuietServer(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield int(listener.getsockname()[1])
    finally:
        server.should_exit = server.force_exit = True
        async with asyncio.timeout(LIMIT_S):
            await serving
