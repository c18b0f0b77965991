"""SELECTs and the relations they read: where each begins, which parts it has, what it can see."""
