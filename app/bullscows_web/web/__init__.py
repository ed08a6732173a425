"""Rendering, headers, exceptions, caching and metrics of all pages and documents."""
