"""Several indexes asked as one: each with statistics of its own, their scores combined by a named rule."""
