"""Apps for the scenarios with phones, as packs: every kind of phone installs the same ones."""

from collections.abc import Sequence
from typing import Any

PackData = dict[str, Any]

NOTES = "com.example.notes"
LAMP = "com.example.lamp"
NOTES_TO_WRITE = (
    ("Library books", "Two books are due back on Friday."),
    ("Boiler", "Serviced in March; the next time is in a year."),
)


def app(package: str, label: str, *tools: PackData, version: str = "1.0", **more: Any) -> PackData:
    """A pack with these tools."""
    return {"package": package, "label": label, "version": version, "tools": list(tools), **more}


def tool(name: str, data: Any = None, description: str = "") -> PackData:
    """A tool without parameters that always answers `data`."""
    return {
        "name": name,
        "description": description or f"Tells the {name}.",
        "parameters": {"type": "object", "properties": {}},
        "replies": [{"data": {"on": True} if data is None else data}],
    }


def lamp(*tools: PackData, version: str = "1.0", **more: Any) -> PackData:
    """A lamp that tells its state, unless it has other tools."""
    return app(LAMP, "Lamp", *(tools or (tool("state"),)), version=version, **more)


def guarded(package: str, label: str, *tools: PackData) -> PackData:
    """An app whose owner has to authorise it on a screen of its own first."""
    said = {
        "message": f"{label} has not been authorised yet.",
        "hint": f"open {label} on the phone and allow it",
        "intent": f"{package}.AUTHORIZE",
    }
    return app(package, label, *tools, authorisation=said)


def notes(written: Sequence[tuple[str, str]] = NOTES_TO_WRITE) -> PackData:
    """What the sample app is, as far as the scenarios see it; for phones that cannot run it."""
    records = [{"id": number, "title": title, "text": text} for number, (title, text) in enumerate(written, 1)]
    search = {
        "name": "search_notes",
        "description": "Finds notes by words in their title or text.",
        "parameters": {"type": "object", "properties": {"words": {"type": "string"}}},
        "replies": [
            {"query": {"table": "notes", "where": [{"fields": ["title", "text"], "search": "$words"}], "name": "notes"}}
        ],
    }
    return guarded(NOTES, "Notes") | {"data": {"notes": records}, "tools": [search]}
