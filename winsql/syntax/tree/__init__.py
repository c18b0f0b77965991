"""A statement's queries as trees: sqlglot's parser over winsql's own tokens, and where their columns come from."""
