"""The phone room."""
