"""Values and prices proved by searches of the last games, which stay warm within a memory."""
