"""What the columnar engines share: the form of the query, columns of keys, panes and accumulators, and their state."""
