"""The commands of the laboratory: strategies, classes, games around the game; one module each."""
