"""Measures: plain arithmetic on ranks, terms and numbers; imports nothing of ours."""
