"""What an expression says: references, calls, conditions, and the select items and keys made of them."""
