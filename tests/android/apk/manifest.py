"""The manifest as Android Studio's merger would make it: with package, versions and SDK levels, full class names, and
what the flavour adds. Older tools and Robolectric take nothing less.
"""

from pathlib import Path
from xml.etree import ElementTree

from .module import Module

ANDROID = "http://schemas.android.com/apk/res/android"
TOOLS = "http://schemas.android.com/tools"
_NAME = f"{{{ANDROID}}}name"
_CLASSES = {
    "application": ("name", "backupAgent", "appComponentFactory"),
    "activity": ("name", "parentActivityName"),
    "activity-alias": ("name", "targetActivity"),
    "service": ("name",),
    "receiver": ("name",),
    "provider": ("name",),
}


class UnsupportedOverlay(Exception):
    """A flavour's manifest does more than add elements beside `<application>`."""


def merged(module: Module, flavour: str) -> str:
    """The manifest of one flavour of `module`, as XML text."""
    ElementTree.register_namespace("android", ANDROID)
    common, *more = (folder / "AndroidManifest.xml" for folder in module.source_sets(flavour))
    root = ElementTree.parse(common).getroot()
    for overlay in more:
        _add_overlay(root, overlay)
    _add_identity(root, module, module.id_of(flavour))
    for element in root.iter():
        _complete(element, module.namespace, module.id_of(flavour))
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def _add_overlay(root: ElementTree.Element, overlay: Path) -> None:
    if not overlay.is_file():
        return
    for element in ElementTree.parse(overlay).getroot():
        if element.tag == "application":
            raise UnsupportedOverlay(f"{overlay}: only elements beside <application> can be added here")
        root.insert(0, element)


def _add_identity(root: ElementTree.Element, module: Module, application_id: str) -> None:
    root.set("package", application_id)
    root.set(f"{{{ANDROID}}}versionCode", str(module.version_code))
    root.set(f"{{{ANDROID}}}versionName", module.version_name)
    levels = {"minSdkVersion": module.min_sdk, "targetSdkVersion": module.target_sdk}
    root.insert(
        0, ElementTree.Element("uses-sdk", {f"{{{ANDROID}}}{key}": str(value) for key, value in levels.items()})
    )


def _complete(element: ElementTree.Element, namespace: str, application_id: str) -> None:
    """Resolve class names and `${applicationId}`; drop what is said to the merger alone."""
    for key, value in list(element.attrib.items()):
        if key.startswith(f"{{{TOOLS}}}"):
            del element.attrib[key]
        elif key.removeprefix(f"{{{ANDROID}}}") in _CLASSES.get(element.tag, ()):
            element.set(key, _class_name(value, namespace))
        else:
            element.set(key, value.replace("${applicationId}", application_id))


def _class_name(name: str, namespace: str) -> str:
    if name.startswith("."):
        return namespace + name
    return name if "." in name else f"{namespace}.{name}"
