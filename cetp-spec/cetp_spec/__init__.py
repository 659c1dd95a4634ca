"""CETP v1 as data: contract, schemas, vectors, and the validator that app authors use."""
