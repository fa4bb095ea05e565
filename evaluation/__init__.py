"""Gold and a submission in, official measures out."""
