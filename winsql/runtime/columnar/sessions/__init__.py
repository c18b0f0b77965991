"""The engine for sessions: windows that begin with each row and merge."""
