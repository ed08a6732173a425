"""Pages and problem documents for every exception."""
