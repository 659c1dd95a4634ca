"""From sources to signed APKs with Debian's tools, R8 and Python: one step to a module, their order in `assembly`."""
