"""Manifests: source and binary ones are read into the same facts, and the same rules look at both.

From below: `values`, `element`, `resolution` · `source`, `resources`, `gradle`, `source_resolver` or `binary_xml`,
`string_pool`, `resource_table`, `apk` · `read_facts` makes `facts` · rules in `discovery`, `exported`, `authorities`,
`versions`, `permissions`, `queries`, `owners` · `judge` puts them together, `check` opens files.
"""
