"""Rendering, headers, errors, caching and metrics of all pages and documents."""
