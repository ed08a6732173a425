"""The process: its settings, its command, the HTTP server and its log."""
