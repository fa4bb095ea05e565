"""One self-contained page of a task's runs: figures, charts, and every question with its
evidence."""
