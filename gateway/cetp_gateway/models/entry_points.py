"""Model factories of other packages, found by Python entry points.

    [project.entry-points."cetp_gateway.models"]
    my-vendor = "my_package:MyFactory"

Looked for only when a provider is asked for that does not ship with the project.
"""

from collections.abc import Iterator
from typing import Final

from cetp_gateway.errors import SettingsError
from cetp_gateway.models.factory import ModelFactory

GROUP: Final = "cetp_gateway.models"


def factories_of_packages() -> Iterator[ModelFactory]:
    """Each one made; an entry may be a factory or something that makes one when called.

    Raises:
        SettingsError: a package's entry cannot be loaded.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415  (5 ms that few gateways need)

    for entry in entry_points(group=GROUP):
        try:
            loaded = entry.load()
            factory: ModelFactory = loaded if hasattr(loaded, "create") and not isinstance(loaded, type) else loaded()
            _ = factory.name, factory.aliases, factory.create
        except Exception as error:
            package = entry.dist.name if entry.dist else "a package"
            raise SettingsError(
                f"The model provider {entry.name} of {package} cannot be loaded ({type(error).__name__}: {error}). "
                "Update or remove that package."
            ) from error
        yield factory
