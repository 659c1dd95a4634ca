"""`python -m cetp_gateway.cli`: the same as `cetp`."""

from cetp_gateway.cli.group import main

main()
