"""Collections of open data."""
