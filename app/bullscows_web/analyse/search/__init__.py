"""What this server can say of a position: one thread that searches, and beside it what ships."""
