"""Keywords in, ranked hits out."""
