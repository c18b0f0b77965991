"""SELECTs and the relations they read: where each begins, its parts, and the CTEs and columns it can see."""
