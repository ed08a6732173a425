"""The offline engine: rules, strategy trees, their text form, and the searches that prove them."""

__version__ = "0.1.0"
