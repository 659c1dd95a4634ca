"""Builds a Runtime from Settings: the one place that knows every implementation."""
