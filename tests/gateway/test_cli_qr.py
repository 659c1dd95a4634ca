"""The QR code in the terminal is the one that the text has."""

import click
import segno

from cetp_gateway.cli.qr import QUIET_ZONE, qr_code

LINK = "cetp://pair?gateway=https://192.168.1.5:42617&code=1234-5678-9012"
LIGHT = {" ": (False, False), "▀": (True, False), "▄": (False, True), "█": (True, True)}


def test_the_blocks_are_the_modules_of_the_links_code_with_a_light_margin() -> None:
    lines = click.unstyle(qr_code(LINK)).splitlines()
    rows = [[not LIGHT[block][half] for block in line] for line in lines for half in (0, 1)]
    expected = [list(map(bool, row)) for row in segno.make_qr(LINK, error="l").matrix_iter(border=QUIET_ZONE)]
    assert rows[: len(expected)] == expected


def test_dark_and_light_do_not_depend_on_the_terminals_colours() -> None:
    assert all(line.startswith("\x1b[97m\x1b[40m") and line.endswith("\x1b[0m") for line in qr_code(LINK).splitlines())
