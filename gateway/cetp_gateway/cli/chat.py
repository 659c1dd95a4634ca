"""`cetp chat`: ask the gateway's agent in a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import click
import msgspec
from rich.console import Console
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from cetp_gateway.cli.approval_prompt import ApprovalPrompt
from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option, json_option, token_option
from cetp_gateway.cli.question_prompt import QuestionPrompt
from cetp_gateway.cli.turn_printer import ENDS, TurnPrinter
from cetp_gateway.errors import GatewayUnreachable

Frame = dict[str, Any]
MAX_FRAME_BYTES = 16 * 1024 * 1024


@click.command("chat", epilog='Example: cetp chat "What is due this week?"')
@click.argument("question", required=False)
@click.option("--session", default="", help="Go on in this session; a new one otherwise.")
@click.option("--persona", default="", help="Persona of a new session.")
@gateway_option
@token_option
@json_option
def chat_command(
    *, question: str | None, session: str, persona: str, gateway: GatewayAt, token: str, as_json: bool
) -> None:
    """Ask QUESTION, or talk line by line when there is none.

    Shows the answer as it comes, and each tool call with its arguments and result. Ctrl-C stops the running answer;
    at the prompt it ends the program, as Ctrl-D does. On a terminal it asks you about calls that need a person, and
    what the agent wants to know.
    """
    client = GatewayClient(gateway, token)
    query = "&".join(f"{k}={quote(v, safe='')}" for k, v in (("session_id", session), ("persona", persona)) if v)
    with _socket(client, query) as socket:
        chat = Chat(socket, as_json=as_json)
        if question is not None:
            sys.exit(0 if chat.ask(question) else 1)
        chat.talk()


class Chat:
    """One conversation over one socket."""

    def __init__(self, socket: ClientConnection, *, as_json: bool) -> None:
        self._socket = socket
        self._as_json = as_json
        self._console = Console(highlight=False)
        self._printer = TurnPrinter(self._console)
        # Only where somebody sits who can be asked.
        asks = not as_json and sys.stdin.isatty()
        self._prompts: list[ApprovalPrompt | QuestionPrompt] = []
        if asks:
            self._prompts = [ApprovalPrompt(self._printer), QuestionPrompt(self._printer)]
        capabilities = ["cetp.approvals", "cetp.questions"] if asks else []
        self._send({"type": "connect", "v": 1, "device_name": "cetp chat", "capabilities": capabilities})

    def talk(self) -> None:
        """Ask line by line until the input ends."""
        while True:
            try:
                line = input("> " if sys.stdin.isatty() else "")
            except (EOFError, KeyboardInterrupt):
                return
            if line.strip():
                self.ask(line)

    def ask(self, question: str) -> bool:
        """Ask and show the turn; True when it ended with an answer."""
        self._send({"type": "message", "content": question})
        while True:
            try:
                frame = self._next()
            except KeyboardInterrupt:
                self._send({"type": "abort"})
                continue
            self._show(frame)
            for prompt in self._prompts:
                self._answer(prompt, frame)
            if frame["type"] in ENDS and "component" not in frame:
                return bool(frame["type"] == "done")

    def _answer(self, prompt: ApprovalPrompt | QuestionPrompt, frame: Frame) -> None:
        """Let the person decide about a call of this conversation, or answer its model."""
        try:
            answer = prompt.take(frame)
        except (EOFError, KeyboardInterrupt):
            self._send({"type": "abort"})
            return
        if answer is not None:
            self._send(answer)

    def _next(self) -> Frame:
        frame: Frame = msgspec.json.decode(self._socket.recv())
        return frame

    def _send(self, frame: Frame) -> None:
        self._socket.send(msgspec.json.encode(frame).decode())

    def _show(self, frame: Frame) -> None:
        if self._as_json:
            click.echo(msgspec.json.encode(frame))
        else:
            self._printer.show(frame)


@contextmanager
def _socket(client: GatewayClient, query: str) -> Iterator[ClientConnection]:
    token = client.token()
    client.settle()
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    url = f"{client.socket_url}?{query}" if query else client.socket_url
    try:
        with connect(
            url,
            ssl=client.ssl_context,
            additional_headers=headers,
            max_size=MAX_FRAME_BYTES,
            compression=None,
            proxy=None,
        ) as socket:
            yield socket
    except ConnectionClosed as error:
        reason = error.rcvd.reason if error.rcvd else "the connection was lost"
        raise GatewayUnreachable(f"The gateway has ended the conversation: {reason or 'no reason given'}.") from None
    except InvalidHandshake as error:
        raise GatewayUnreachable(_refusal(error)) from None
    except OSError:
        raise GatewayUnreachable(f"No gateway answers at {client.url}. Start it with: cetp serve") from None


def _refusal(error: InvalidHandshake) -> str:
    response = getattr(error, "response", None)
    if response is None:
        return "What answers there is not a CETP gateway."
    body = (response.body or b"").decode(errors="replace")
    return body or f"The gateway refused the socket with status {response.status_code}."
