"""Calls of table functions: Flink SQL's window table functions, and what all calls over tables share."""
