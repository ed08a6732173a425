"""What programs ask for: JSON, its description, and whether the server is well."""
