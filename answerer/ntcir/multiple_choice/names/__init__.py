"""Entity association, the default method: fit of each name of a statement with the rest of it, by
book statistics."""
