"""The charts of a report as figures for papers, drawn by matplotlib (the extra `plot`)."""
