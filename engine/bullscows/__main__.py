"""``python -m bullscows``: the engine's commands without the server."""

from bullscows.cli.main import main

main()
