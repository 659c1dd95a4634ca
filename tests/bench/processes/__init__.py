"""Processes of their own: servers to compare with, phones, load. Each says READY or DONE with a JSON object."""
