"""Two people, one link: refereed matches and races, which a database remembers."""
