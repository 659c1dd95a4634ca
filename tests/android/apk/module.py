"""What the host build's poms say of one Android module: the single place where its identity is read from."""

import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "tests" / "android"
"""Where the poms are."""

_POM = "{http://maven.apache.org/POM/4.0.0}"
_REFERENCE = re.compile(r"\$\{([^}]+)}")


@dataclass(frozen=True)
class Module:
    """An Android module; `sources` is the folder that the Android Studio build calls the module."""

    name: str
    sources: Path
    namespace: str
    application_id: str
    flavours: tuple[str, ...]
    min_sdk: int
    target_sdk: int
    version_code: int
    version_name: str

    def source_sets(self, flavour: str) -> list[Path]:
        """The folders that a flavour is made of: the common one, then what the flavour adds, if anything."""
        folders = [self.sources / "src" / name for name in dict.fromkeys(("main", flavour))]
        return [folder for folder in folders if folder.is_dir()]

    def id_of(self, flavour: str) -> str:
        """The application id: the first flavour has the plain one, each other its own name behind it."""
        return self.application_id if flavour == self.flavours[0] else f"{self.application_id}.{flavour}"


def read(name: str) -> Module:
    """The module `name`, with the values that it inherits."""
    values = properties(name)
    return Module(
        name=name,
        sources=ROOT / values["android.sources"],
        namespace=values["android.namespace"],
        application_id=values["android.applicationId"],
        flavours=tuple(values["android.flavours"].split()),
        min_sdk=int(values["min.sdk"]),
        target_sdk=int(values["target.sdk"]),
        version_code=int(values["version.code"]),
        version_name=values["version.name"],
    )


def properties(name: str) -> dict[str, str]:
    """The properties of a module's pom and of its parents, with references between them resolved."""
    values: dict[str, str] = {}
    pom: Path | None = BUILD / name / "pom.xml"
    while pom is not None:
        project = ElementTree.parse(pom).getroot()
        for entry in project.iterfind(f"{_POM}properties/*"):
            values.setdefault(entry.tag.removeprefix(_POM), (entry.text or "").strip())
        pom = _parent(project, pom)
    return {key: _resolved(value, values) for key, value in values.items()}


def _parent(project: ElementTree.Element, pom: Path) -> Path | None:
    if project.find(f"{_POM}parent") is None:
        return None
    written = project.findtext(f"{_POM}parent/{_POM}relativePath") or "../pom.xml"
    return (pom.parent / written).resolve()


def _resolved(value: str, values: dict[str, str]) -> str:
    """References to values that only Maven knows stay as they are."""
    return _REFERENCE.sub(lambda found: values.get(found[1], found[0]), value)
