"""An agent of the pipe that others may talk to: says at its standard error which calls wait for a person."""

from collections.abc import Iterator
from contextlib import contextmanager

import click
import msgspec

from cetp_gateway.cli.approvals import describe_call
from cetp_gateway.policy import ApprovalRequest, Approvals, Decision


@contextmanager
def asking_at(url: str, approvals: Approvals) -> Iterator[None]:
    """Tell of every question until the end of the block; it is answered at `url`."""

    def tell(request: ApprovalRequest, decision: Decision | None) -> None:
        if decision is None:
            # What would be typed may be a password, and a host keeps what it reads here.
            hidden = {key: "…" if key == "text" else value for key, value in request.arguments.items()}
            call = describe_call(msgspec.to_builtins(request) | {"arguments": hidden})
            click.echo(f"A call waits for a person:\n{call}\nDecide with: cetp approvals --gateway {url}", err=True)

    unsubscribe = approvals.subscribe(tell)
    try:
        yield
    finally:
        unsubscribe()
