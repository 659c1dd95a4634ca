"""The validator for app authors: checks manifests, APKs and answers without a phone.

`validate` gives the problems of one input; `check` and the renderings serve the command line. Below it are only the
data, schemas and naming rule of this package; it knows nothing of the gateway.
"""

from cetp_spec.validator.inputs import Input, input_of
from cetp_spec.validator.kinds import Kind
from cetp_spec.validator.problem import Place, Problem, Severity
from cetp_spec.validator.report import Checked, Report, render_json, render_rules, render_text
from cetp_spec.validator.rules import RULES, Rule
from cetp_spec.validator.run import check, validate

__all__ = [
    "RULES",
    "Checked",
    "Input",
    "Kind",
    "Place",
    "Problem",
    "Report",
    "Rule",
    "Severity",
    "check",
    "input_of",
    "render_json",
    "render_rules",
    "render_text",
    "validate",
]
