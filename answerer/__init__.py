"""Questions in, an official submission out: one file a task."""
