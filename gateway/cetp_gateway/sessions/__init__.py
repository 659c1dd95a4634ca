"""The sessions room."""
