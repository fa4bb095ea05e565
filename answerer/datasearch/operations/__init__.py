"""Derivations: every way from a question to a text of a table."""
