"""Strategy trees as values, as base-92 text, as files and in other formats.

`verifier` replays every secret; it shares no code with response table, search or codec.
"""
