"""Any position of any game: the best guess found in a given time, and what is proved of it.

`analyst` asks a question and gives a verdict; `prover` keeps the searches of the last games warm.
"""
