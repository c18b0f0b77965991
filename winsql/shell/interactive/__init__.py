"""The interactive shell: what happens when `winsql` is started on a terminal without -e and -f."""
