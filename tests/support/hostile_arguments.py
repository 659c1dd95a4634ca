"""Schemas and arguments that have frozen other programs, each offered and called. Run as a process of its own.

Prints the name of a case before it begins, so that the last line names the one that did not end.
"""

import time
from collections.abc import Iterator
from typing import Any

from cetp_gateway.api import InvalidArguments, ToolState
from support.tool_hosts import Phone, a_registry, a_tool

Case = tuple[str, dict[str, Any], Any]


def parameter(schema: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"p": schema}, **more}


def nested(levels: int, kernel: Any = 1) -> Any:
    for _ in range(levels):
        kernel = [kernel]
    return kernel


def patterns() -> Iterator[Case]:
    random_like = "".join("ab"[number * number % 7 % 2] for number in range(900_000))
    for name, pattern in {
        "nested repetition": "^(a+)+$",
        "back-reference": "^(a+)+\\1$",
        "look-ahead": "(?=.*c)(a|b)*c",
        "many states": "(?:[ab]{1,50}a){10}c",
        "a state for every text": "[ab]*a[ab]{100}c",
        "too large to compile": "(a{1000}){1000}",
        "large class": r"\p{L}{500}",
    }.items():
        for text in ("a" * 28 + "!", "a" * 40 + "!", "a" * 100_000 + "!", random_like):
            yield f"pattern, {name}, {len(text)} characters", parameter({"type": "string", "pattern": pattern}), text
        yield f"pattern, {name}, many texts", parameter({"items": {"pattern": pattern}}), ["a" * 30 + "!"] * 25_000
        yield (
            f"pattern of names, {name}",
            parameter({"patternProperties": {pattern: {}}}),
            {"a" * 30 + str(number): 1 for number in range(20_000)},
        )


def references() -> Iterator[Case]:
    for depth in (5, 10, 12, 18, 22):
        defs: dict[str, Any] = {"d0": {"type": "integer"}}
        for number in range(1, depth + 1):
            below = {"$ref": f"#/$defs/d{number - 1}"}
            defs[f"d{number}"] = {"anyOf": [below, below]}
        schema = {"items": {"$ref": f"#/$defs/d{depth}"}}
        yield f"references doubled {depth} times", parameter(schema, **{"$defs": defs}), ["no"] * 100_000
    branch = {"type": "array", "items": {"$ref": "#/$defs/n"}}
    tree = {"$defs": {"n": {"anyOf": [branch, branch, {"type": "null"}]}}}
    yield "recursion that branches, deep", parameter({"$ref": "#/$defs/n"}, **tree), nested(60)
    yield "recursion that branches, wide", parameter({"$ref": "#/$defs/n"}, **tree), [nested(12)] * 20_000


def comparisons() -> Iterator[Case]:
    for name, items in {
        "numbers": list(range(100_000)),
        "texts": [str(number) for number in range(90_000)],
        "objects": [{"a": number} for number in range(80_000)],
        "lists": [[number, number] for number in range(80_000)],
    }.items():
        yield f"unique {name}", parameter({"uniqueItems": True}), items
    constants = [{"const": number} for number in range(1000)]
    objects = [{"a": number} for number in range(1000)]
    yield "a thousand alternatives", parameter({"items": {"anyOf": constants}}), [999] * 100_000
    yield "a thousand objects to choose from", parameter({"items": {"enum": objects}}), [{"a": 999}] * 80_000
    yield "contains", parameter({"contains": {"const": 1}, "minContains": 3}), [0] * 200_000


def depths() -> Iterator[Case]:
    for levels in (63, 200, 900, 5_000, 200_000):
        yield f"nested {levels} levels deep", parameter({}), nested(levels)
        quoted = "[" * levels + "]" * levels
        yield f"nested {levels} levels deep in quotes", parameter({"type": "array"}), quoted


def run(case: Case, host: Phone) -> None:
    name, schema, argument = case
    print(name, end=": ", flush=True)
    started = time.perf_counter()
    registry = a_registry()
    verdict = registry.offer(host, [a_tool("t", schema)], replace=True)[0]
    tool = registry.view().find("t")
    offered = time.perf_counter()
    assert (tool is None) == (verdict.state is ToolState.QUARANTINED)
    if tool is not None:
        result = tool.read_arguments({"p": argument})
        assert isinstance(result, dict | InvalidArguments)
    ended = time.perf_counter()
    print(f"{verdict.state}, {(offered - started) * 1e3:.1f} + {(ended - offered) * 1e3:.1f} ms", flush=True)


def main() -> None:
    host = Phone("p")
    for cases in (patterns(), references(), comparisons(), depths()):
        for case in cases:
            run(case, host)
    print("all answered")


if __name__ == "__main__":
    main()
