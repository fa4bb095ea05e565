"""Corpora in, an index out."""
