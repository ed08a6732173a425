"""The commands that make tree files and use them: one module each."""
