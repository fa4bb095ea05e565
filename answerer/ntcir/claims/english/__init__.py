"""Compares English claims with sentences."""
