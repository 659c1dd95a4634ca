"""The agent room."""
