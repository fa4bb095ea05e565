"""Counts over a whole book, made while it is indexed and read when its questions are answered."""
