"""Whether a book confirms or contradicts a claim: of a yes-no question, or to be called true or
false."""
