"""Explanation of the default method in a trace: the parts of the scores of choices, and the decisive passages."""
