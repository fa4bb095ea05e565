"""Answers a question in plain words, without a file, from any kind of index, with the sources of
the answer."""
