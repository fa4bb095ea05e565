"""Text to terms: one analyser a language, all with the same three methods."""
