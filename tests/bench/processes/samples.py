"""Medians, percentiles and spreads."""

from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of all lies; `values` must not be empty."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def median(values: Sequence[float]) -> float:
    return percentile(values, 0.5)


def spread(values: Sequence[float]) -> float:
    """Largest less smallest, as a share of the median."""
    middle = median(values)
    return (max(values) - min(values)) / middle if middle else 0.0
