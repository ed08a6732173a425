"""The engine's commands, one module each, and the only room of the engine that prints.

`main` brings them together; `options` are those that several commands share; `progress` is what a
terminal shows meanwhile.
"""
