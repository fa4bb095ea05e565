"""Tables of a dataset, read from the index and prepared for questions."""
