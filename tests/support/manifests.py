"""Source manifests made of parts, so that a test shows only what is special about its app."""

ACTION = "com.clawseed.action.TOOL_PROVIDER"
AUTHORITY = "com.clawseed.tools.authority"
VERSION = "com.clawseed.tools.version"
PERMISSION = "com.clawseed.permission.ACCESS_TOOLS"
TOOLS = "org.example.notes.tools"
PACKAGE = "org.example.notes"

EXPORTED = 'android:exported="true"'
QUERIES = f'<queries><intent><action android:name="{ACTION}"/></intent></queries>'
USES = f'<uses-permission android:name="{PERMISSION}"/>'
DEFINES = f'<permission android:name="{PERMISSION}" android:protectionLevel="normal"/>'


def manifest(*application: str, outside: str = "", target: int | None = 34, package: str = PACKAGE) -> str:
    """A whole manifest: children of <application>, and what stands beside it."""
    sdk = "" if target is None else f'<uses-sdk android:targetSdkVersion="{target}"/>'
    own = f' package="{package}"' if package else ""
    inside = "\n".join(application)
    return (
        f'<manifest xmlns:android="http://schemas.android.com/apk/res/android"\n'
        f'    xmlns:tools="http://schemas.android.com/tools"{own}>\n'
        f"{sdk}{outside}\n<application>\n{inside}\n</application>\n</manifest>\n"
    )


def meta(name: str, value: str, attribute: str = "value") -> str:
    return f'<meta-data android:name="{name}" android:{attribute}="{value}"/>'


def action_filter(action: str = ACTION, more: str = "") -> str:
    return f'<intent-filter><action android:name="{action}"/>{more}</intent-filter>'


def service(
    *children: str, attributes: str = EXPORTED, tag: str = "service", name: str = ".Tools", filters: str | None = None
) -> str:
    """The discovery service; children stand behind its filter."""
    inside = "\n".join((action_filter() if filters is None else filters, *children))
    return f'<{tag} android:name="{name}" {attributes}>\n{inside}\n</{tag}>'


def provider(
    authorities: str = TOOLS,
    attributes: str = EXPORTED,
    *,
    permission: str = f'android:permission="{PERMISSION}"',
    order: str = 'android:initOrder="100"',
    name: str = ".Provider",
) -> str:
    """The ContentProvider that is called."""
    return f'<provider android:name="{name}" android:authorities="{authorities}" {attributes} {permission} {order}/>'


def announced(authority: str = TOOLS, version: str = "1") -> str:
    """A good discovery service with these values."""
    return service(meta(AUTHORITY, authority), meta(VERSION, version))


def provider_app(
    *,
    discovery: str | None = None,
    called: str | None = None,
    more: str = "",
    outside: str = "",
    target: int | None = 34,
    package: str = PACKAGE,
) -> str:
    """A provider without fault, but for what a test puts in its place."""
    parts = (announced() if discovery is None else discovery, provider() if called is None else called, more)
    return manifest(*parts, outside=outside, target=target, package=package)


def consumer_app(*, outside: str = USES + QUERIES, inside: str = "", target: int | None = 34) -> str:
    """A consumer without fault, but for what a test puts in its place."""
    return manifest(inside, outside=outside, target=target, package="org.example.bridge")
