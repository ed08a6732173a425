"""Strategy trees as values, as base-92 text, as files and in other formats; their verifier."""
