"""The engine for any windows but sessions: rows come into panes, each into all of its windows."""
