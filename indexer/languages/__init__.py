"""The languages: an object each, which answers for all in which languages differ, and the registry
of them."""
