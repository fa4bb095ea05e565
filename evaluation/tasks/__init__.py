"""Scoring, one file a task."""
