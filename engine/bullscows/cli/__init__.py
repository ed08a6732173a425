"""The command line: one module per group of commands, and the only package that prints."""
