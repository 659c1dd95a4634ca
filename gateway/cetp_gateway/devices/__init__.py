"""The devices room."""
