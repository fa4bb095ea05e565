"""Collection selection in an index of many books: the blocks of the index, and their weights for a question."""
