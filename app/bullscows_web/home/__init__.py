"""The start page, other pages about no game, and files for browsers and crawlers."""
