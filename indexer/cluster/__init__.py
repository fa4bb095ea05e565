"""A build on many machines: pieces of the sources mapped to documents and counts, counts reduced to statistics."""
