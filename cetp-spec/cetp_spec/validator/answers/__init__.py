"""Answers: what a provider sends back, as JSON: replies, tools with their schemas, provider info.

`json_text` reads, `check` finds the way; rules in `replies`, `tools`, `parameters`, `references`, `portability`;
`structure` checks against the published schemas.
"""
