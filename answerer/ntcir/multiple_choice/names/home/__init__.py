"""Where a question is at home in an index of many books: the blocks of the index, and what they count for it."""
