"""Flink SQL's window table functions, and the queries around them that need a plan on streams."""
