"""`cetp questions`: what models ask the person, and the person's answers."""

from typing import Any

import click
import msgspec

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option, json_option, token_option
from cetp_gateway.cli.question_prompt import describe_question


@click.group("questions", invoke_without_command=True, epilog='Example: cetp questions answer 1f0a "the blue one"')
@gateway_option
@token_option
@json_option
@click.pass_context
def questions_command(context: click.Context, gateway: GatewayAt, token: str, as_json: bool) -> None:
    """List what the agent asks you, and answer.

    Whoever has listed the questions within a minute counts as somebody who can be asked.
    """
    context.obj = GatewayClient(gateway, token)
    if context.invoked_subcommand is None:
        _list(context.obj, as_json=as_json)


@questions_command.command("list")
@json_option
@click.pass_obj
def list_command(client: GatewayClient, as_json: bool) -> None:
    """Show the questions that wait."""
    _list(client, as_json=as_json)


@questions_command.command("answer")
@click.argument("question")
@click.argument("words")
@click.pass_obj
def answer_command(client: GatewayClient, question: str, words: str) -> None:
    """Answer QUESTION (its id, or how that begins) in WORDS, or with the number of a choice."""
    _answer(client, question, words)


@questions_command.command("decline")
@click.argument("question")
@click.pass_obj
def decline_command(client: GatewayClient, question: str) -> None:
    """Leave QUESTION (its id, or how that begins) without an answer; the agent goes on."""
    _answer(client, question, None)


def _answer(client: GatewayClient, beginning: str, words: str | None) -> None:
    waiting = client.request("GET", "/api/questions")["open"]
    found = [question for question in waiting if question["id"].startswith(beginning)]
    if len(found) != 1:
        many = f"{len(found)} questions begin" if found else "No question that waits begins"
        raise click.ClickException(f"{many} with {beginning}. `cetp questions` lists them.")
    client.request("POST", f"/api/questions/{found[0]['id']}", content=msgspec.json.encode({"answer": words}))
    click.echo("Declined." if words is None else "Answered.")


def _list(client: GatewayClient, *, as_json: bool) -> None:
    found: dict[str, Any] = client.request("GET", "/api/questions")
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    if not found["open"]:
        click.echo("The agent asks nothing.")
    for question in found["open"]:
        click.echo(f"{question['id']}  {describe_question(question['question'], question['choices'])}")
