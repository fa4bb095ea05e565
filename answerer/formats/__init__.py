"""Official formats, readers apart from tasks."""
