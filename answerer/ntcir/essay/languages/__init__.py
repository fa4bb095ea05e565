"""The languages that essays are written in, a module each."""
