"""The JSON API, its OpenAPI description, and health checks."""
