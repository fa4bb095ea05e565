"""Several indexes asked as one: each with statistics of its own."""
