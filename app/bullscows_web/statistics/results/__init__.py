"""`/results`: every table of the documents beside our own, and the story in pictures."""
