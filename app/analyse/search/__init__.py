"""What this server can say of a position: one thread that searches, and what ships proved."""
