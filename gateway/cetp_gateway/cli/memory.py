"""`cetp memory`: what the agent remembers, to look at, take along and forget."""

from collections.abc import Iterator
from typing import IO, Any
from urllib.parse import quote

import click
import msgspec

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option, json_option, token_option

_PIECE_BYTES = 256 * 1024
_TIMEOUT_S = 60.0

namespace_option = click.option("--namespace", default="default", show_default=True, help="Whose entries.")
category_option = click.option("--category", default="", help="core, daily, conversation or one of your own.")


@click.group("memory", epilog="Example: cetp memory search 'when was the boiler serviced'")
@gateway_option
@token_option
@click.pass_context
def memory_command(context: click.Context, gateway: GatewayAt, token: str) -> None:
    """Look at what the agent remembers beyond a conversation, take it along, or make it forget."""
    context.obj = GatewayClient(gateway, token)


@memory_command.command("list", epilog="Example: cetp memory list --category core")
@namespace_option
@category_option
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1000), help="So many at most.")
@json_option
@click.pass_obj
def list_command(client: GatewayClient, namespace: str, category: str, limit: int, as_json: bool) -> None:
    """Show the newest entries."""
    _show(client, {"namespace": namespace, "category": category, "limit": limit}, as_json=as_json)


@memory_command.command("search", epilog="Example: cetp memory search 部署方案")
@click.argument("query")
@namespace_option
@category_option
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 1000), help="So many at most.")
@json_option
@click.pass_obj
def search_command(
    client: GatewayClient, *, query: str, namespace: str, category: str, limit: int, as_json: bool
) -> None:
    """Show the entries that fit QUERY best; any text will do."""
    if not query.strip():
        raise click.UsageError("QUERY: say what to look for; `cetp memory list` shows everything.")
    asked = {"query": query, "namespace": namespace, "category": category, "limit": limit}
    _show(client, asked, as_json=as_json)


@memory_command.command("forget", epilog="Example: cetp memory forget door-code")
@click.argument("key")
@namespace_option
@click.pass_obj
def forget_command(client: GatewayClient, key: str, namespace: str) -> None:
    """Remove the entry KEY with every trace of it."""
    path = f"/api/memory/{quote(key, safe='')}"
    answer = client.request("DELETE", path, params={"namespace": namespace}, timeout_s=_TIMEOUT_S)
    if not answer["deleted"]:
        raise click.ClickException(f"Nothing is remembered under {key}. `cetp memory list` shows the keys.")
    click.echo(f"{key} is forgotten.")


@memory_command.command("export", epilog="Example: cetp memory export --category core --since 2026-01-01 > core.jsonl")
@click.option("--namespace", default="", help="Only of this namespace; all without it.")
@click.option("--session", default="", help="Only of this session.")
@category_option
@click.option("--since", type=click.DateTime(), help="Created at this time (UTC) or later.")
@click.option("--until", type=click.DateTime(), help="Created before this time (UTC).")
@click.pass_obj
def export_command(
    client: GatewayClient, *, namespace: str, session: str, category: str, since: Any, until: Any
) -> None:
    """Write entries to standard output, one JSON object a line."""
    asked = {"namespace": namespace, "session_id": session, "category": category}
    asked |= {name: f"{time.isoformat()}Z" for name, time in (("since", since), ("until", until)) if time}
    for entry in _exported(client, asked):
        click.echo(msgspec.json.encode(entry))


@memory_command.command("import", epilog="Example: cetp memory import core.jsonl")
@click.argument("file", type=click.File("rb"))
@click.pass_obj
def import_command(client: GatewayClient, file: IO[bytes]) -> None:
    """Take in the entries of FILE (- for standard input) that `export` has written; known keys are replaced."""
    total = 0
    for entries in _pieces(file):
        body = msgspec.json.encode({"entries": entries})
        headers = {"content-type": "application/json"}
        answer = client.request("POST", "/api/memories/import", content=body, headers=headers, timeout_s=_TIMEOUT_S)
        total += answer["imported"]
    click.echo(f"{total} entries were taken in.")


@memory_command.command("stats", epilog="Example: cetp memory stats --json")
@json_option
@click.pass_obj
def stats_command(client: GatewayClient, as_json: bool) -> None:
    """Show how much is remembered, how it is searched, and whether that works."""
    answer = client.request("GET", "/api/memories/stats")
    if as_json:
        click.echo(msgspec.json.encode(answer))
        return
    click.echo(f"{answer['count']} entries: {answer['core']} core, {answer['daily']} daily, ", nl=False)
    click.echo(f"{answer['conversation']} conversation, {answer['other']} other")
    click.echo(f"kept in {answer['backend']}, searched by {answer['search_mode']}")
    if answer["embedding_provider"] != "none":
        click.echo(f"embeddings: {answer['embedding_provider']} {answer['embedding_model']}")
    click.echo(f"{'ok' if answer['ok'] else 'NOT OK'}: {answer['detail']}")


def _show(client: GatewayClient, asked: dict[str, Any], *, as_json: bool) -> None:
    answer = client.request("GET", "/api/memory", params=asked)
    if as_json:
        click.echo(msgspec.json.encode(answer))
    elif not answer["entries"]:
        click.echo("Nothing of that kind is remembered.")
    for row in [] if as_json else answer["entries"]:
        whence = " ".join(part for part in (row["author"], row["tool"], row["person"]) if part)
        click.echo(f"{row['key']}  [{row['category']}, {row['updated_at'][:10]}, {whence}]")
        click.echo("    " + row["content"].replace("\n", "\n    "))


def _exported(client: GatewayClient, asked: dict[str, Any]) -> Iterator[Any]:
    after: int | None = 0
    while after is not None:
        page = client.request("GET", "/api/memories/export", params={**asked, "after": after}, timeout_s=_TIMEOUT_S)
        yield from page["entries"]
        after = page["next"]


def _pieces(file: IO[bytes]) -> Iterator[list[Any]]:
    """The file's entries in lists that fit in one request."""
    entries: list[Any] = []
    size = 0
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        try:
            entry = msgspec.json.decode(line)
        except msgspec.DecodeError:
            raise click.ClickException(f"line {number} of the file is no JSON; nothing after it is taken in.") from None
        if entries and size + len(line) > _PIECE_BYTES:
            yield entries
            entries, size = [], 0
        entries.append(entry)
        size += len(line)
    if entries:
        yield entries
