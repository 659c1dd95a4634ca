"""A text as a QR code of block characters, for terminals."""

import io


def qr_code(text: str) -> str:
    """Lines of half blocks, dark modules being the terminal's own colour inverted by its codes."""
    # 30 ms that only those pay who look at one.
    import segno  # noqa: PLC0415

    drawing = io.StringIO()
    # Error correction L: a screen has no stains, and fewer modules are easier to scan.
    segno.make_qr(text, error="l").terminal(drawing, border=2, compact=True)
    return drawing.getvalue()
