"""The browser pipe as data (`pipe/README.md`): codes, schemas and vectors for hosts and agents in any language."""

from cetp_spec.pipe.codes import PipeCode

__all__ = ["PipeCode"]
