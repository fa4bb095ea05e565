"""Compares Japanese claims with sentences."""
