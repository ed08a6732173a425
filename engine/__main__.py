"""``python -m engine``: the engine's commands without the server."""

from engine.cli.main import main

main()
