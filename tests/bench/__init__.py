"""The benchmarks: the real gateway against yardsticks measured in the same run. `python -m tests.bench`.

`processes` holds what runs as a process of its own; everything else steers them and reads the system's counters.
"""
