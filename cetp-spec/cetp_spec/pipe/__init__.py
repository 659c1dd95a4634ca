"""The browser pipe as data (`pipe/README.md`): codes, actions, schemas and vectors for programs in any language.

The vectors are in `cetp_spec.pipe.vectors`, the schemas in `cetp_spec.pipe.schemas`.
"""

from cetp_spec.pipe.actions import Action, actions, params_schema, result_schema
from cetp_spec.pipe.codes import PipeCode
from cetp_spec.pipe.errors import ErrorRule, rule, rules

__all__ = ["Action", "ErrorRule", "PipeCode", "actions", "params_schema", "result_schema", "rule", "rules"]
