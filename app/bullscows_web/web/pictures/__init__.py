"""Pictures that the server draws: the field of all codes, charts, cards of links."""
