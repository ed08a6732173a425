"""The offline engine: rules, strategy trees, their text form, and the searches that prove them."""
