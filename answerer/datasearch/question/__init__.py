"""Analysis of a question on datasets: its words, triggers, kinds, years and comparisons."""
