"""Programs that `confined.launcher` runs by path. They import nothing of ours; JSON comes in, text goes out.

Exit code 3 with a sentence on standard error: what was asked for is wrong.
"""
