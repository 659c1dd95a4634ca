"""`python -m android.host`: the host build's tools, its Maven runs, and what need not run again."""
