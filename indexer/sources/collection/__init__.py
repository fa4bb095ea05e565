"""Test collections: documents with the ids that qrels name."""
