"""Reasons for the answers of a run: the rows of a trace as screens of text."""
