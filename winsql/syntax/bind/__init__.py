"""A windowed SELECT becomes a `WindowQuery`: its keys, and the query over the result of the operator."""
