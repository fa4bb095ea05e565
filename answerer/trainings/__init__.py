"""Commands that train the rankers of given candidates, one a task."""
