"""Strategies that follow a rule instead of a proof, and games around the game.

`rules` look one turn ahead; `hybrids` are the paper's, rule first and search last; `narrowed` are
searches of some guesses only.  `duel` is the game of two who guess each other's code, `static_game`
that of guesses which are all made before any answer.
"""
