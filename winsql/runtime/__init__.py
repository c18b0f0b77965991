"""The window operator: Flink's semantics over rows and timers. It knows neither Spark nor SQL text."""
