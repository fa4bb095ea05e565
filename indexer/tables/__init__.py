"""A table as a person reads it: files into grids, grids into tables with headings, cells into
values."""
