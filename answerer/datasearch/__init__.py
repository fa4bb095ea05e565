"""Data Search question answering: the cell of a dataset that answers a question, and how it was
found."""
