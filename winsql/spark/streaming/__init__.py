"""Operator plans on streams: rows packed by key group, the state of a group, and what a checkpoint tells."""
