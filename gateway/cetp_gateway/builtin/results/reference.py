"""How tools describe to a model that they take a kept result.

Above: `read_result`, the queries over data. Below: nothing.
"""

from typing import Final

from msgspec import Meta

REFERENCE: Final = Meta(max_length=32, description="Reference of a cut result, named in the place of the missing part.")
