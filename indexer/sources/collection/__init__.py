"""Test collections: documents with ids of their own, as qrels name them."""
