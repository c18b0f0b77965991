"""A statement's queries as trees of sqlglot, and which of their columns are window columns."""
