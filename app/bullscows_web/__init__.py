"""The server: pages and a JSON API that walk the strategy trees which the engine proved."""
