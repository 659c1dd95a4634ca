"""What a manifest says about CETP, the same for source and APK: the values that all manifest rules look at."""

from enum import StrEnum

import msgspec

from cetp_spec.validator.manifest.resolution import Setting
from cetp_spec.validator.problem import Place


class Origin(StrEnum):
    """Where the facts come from: decides whether placeholders may still stand in them."""

    SOURCE = "source"
    BUILT = "built"


class MetaData(msgspec.Struct, frozen=True, kw_only=True):
    """One `<meta-data>`; an app reads `value`, from `resource` it would get a number."""

    name: str
    place: Place
    value: Setting | None = None
    resource: Setting | None = None


class Action(msgspec.Struct, frozen=True):
    """One `<action>` of an intent filter or of a query."""

    name: str
    place: Place
    with_data: bool = False
    """The filter also asks for `<data>`."""
    misplaced: bool = False
    """A query's action whose `<queries>` stands inside `<application>`."""


class Component(msgspec.Struct, frozen=True, kw_only=True):
    """A service, provider, activity, alias or receiver."""

    kind: str
    """Its tag."""
    name: str
    """As written, for instance `.cetp.ToolProvider`."""
    place: Place
    exported: Setting | None = None
    enabled: Setting | None = None
    permission: Setting | None = None
    """`permission`, or what stands for it: the provider's `readPermission`, the application's `permission`."""
    authorities: Setting | None = None
    init_order: Setting | None = None
    actions: tuple[Action, ...] = ()
    has_filter: bool = False
    meta_data: tuple[MetaData, ...] = ()


class Permission(msgspec.Struct, frozen=True, kw_only=True):
    """A `<permission>` that this app defines."""

    name: str
    place: Place
    level: Setting | None = None


class SdkVersions(msgspec.Struct, frozen=True, kw_only=True):
    """Which Android versions the app is made for; None where nothing at hand says so."""

    target: int | None = None
    minimum: int | None = None


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """One app or module."""

    place: Place
    origin: Origin
    application_id: str = ""
    """Empty when unknown."""
    label: Setting | None = None
    several_builds: bool = False
    """Its build file makes builds with other application ids."""
    sdk: SdkVersions = SdkVersions()
    enabled: Setting | None = None
    """The application's own `enabled`."""
    components: tuple[Component, ...] = ()
    meta_data: tuple[MetaData, ...] = ()
    """Those directly inside `<application>`."""
    defines: tuple[Permission, ...] = ()
    uses: tuple[str, ...] = ()
    """Names in `<uses-permission>`."""
    queries: tuple[Action, ...] = ()
    """Actions of intents in `<queries>`."""
    queries_place: Place | None = None

    def of_kind(self, kind: str) -> tuple[Component, ...]:
        """Its components with this tag."""
        return tuple(component for component in self.components if component.kind == kind)

    @property
    def owner(self) -> str:
        """The app by its id, or by the file when that is unknown."""
        return self.application_id or self.place.file
