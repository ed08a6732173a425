"""The process: its settings, how it starts, and the connections that it holds."""
