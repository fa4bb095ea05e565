"""One module a kind of corpus."""
