"""``python -m engine``: the engine's commands without the server."""

from engine.cli import main

main()
