"""Databases as sinks of streams: each micro-batch is one transaction, which also records its number."""
