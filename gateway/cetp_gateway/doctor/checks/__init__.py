"""The checks, each a small function of a case. They change nothing and know nothing of each other."""
