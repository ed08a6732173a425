"""The engine's commands, one module each, and the only room of the engine that prints.

Those that make and use tree files stand in `trees`, those of long searches in `jobs`.  `main`
brings them together; `options` are those that several commands share; `progress` is what a
terminal shows meanwhile.
"""
