"""The engine for overlapping windows that fire at their ends: a row comes into one slice, slices make the windows."""
