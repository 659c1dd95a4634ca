"""A text as a QR code of block characters, for terminals."""

import io

import click

QUIET_ZONE = 2
"""Light modules around it; half of what the standard asks for, which phones are content with."""


def qr_code(text: str) -> str:
    """Lines of half blocks, two rows of modules in each; white on black, whatever colours the terminal has."""
    # 30 ms that only those pay who look at one.
    import segno  # noqa: PLC0415

    drawing = io.StringIO()
    # Error correction L: a screen has no stains, and fewer modules are easier to scan.
    segno.make_qr(text, error="l").terminal(drawing, border=QUIET_ZONE, compact=True)
    return "\n".join(click.style(line, fg="bright_white", bg="black") for line in drawing.getvalue().splitlines())
