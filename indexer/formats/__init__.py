"""Official files that more than one package reads: one reader each."""
