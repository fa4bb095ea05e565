"""Association of the entities of statements with the rest of these, by the statistics of an
index."""
