"""Features of a candidate beside its question: one file a family, computed for all rows of a file at once."""
