"""Ranking candidates that come with the question."""
