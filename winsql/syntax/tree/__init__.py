"""A statement's queries as trees: sqlglot's parser over winsql's own tokens, and what its scopes tell."""
