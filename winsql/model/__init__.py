"""The vocabulary: windows, assigners, triggers, evictors and the records of a windowed query."""
