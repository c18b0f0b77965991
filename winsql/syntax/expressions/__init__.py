"""What an expression says: references, calls, conditions, and the items and keys that are made of them."""
