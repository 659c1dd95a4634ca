"""CETP v1 as data: contract, schemas, vectors, and the validator that app authors use.

The lowest package of the project: it knows nothing of the gateway, and everything else may import it.
"""

from cetp_spec import matching, schemas, vectors
from cetp_spec.codes import ErrorCode
from cetp_spec.data import contract
from cetp_spec.naming import CannotBeNamed, can_be_named, fit, fit_all, label_for, labels, public_names

__all__ = [
    "CannotBeNamed",
    "ErrorCode",
    "can_be_named",
    "contract",
    "fit",
    "fit_all",
    "label_for",
    "labels",
    "matching",
    "public_names",
    "schemas",
    "vectors",
]
