"""A quiz checked against its book: which keys may be wrong, which items have flaws, what the quiz
covers."""
