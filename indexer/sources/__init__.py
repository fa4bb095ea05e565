"""Sources of an index: one package for each kind of corpus."""
