from .main import commands

__all__ = [
    "commands",
]
