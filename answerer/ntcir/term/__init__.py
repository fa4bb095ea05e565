"""Term questions of NTCIR QA Lab: the names, dates and numbers that a sheet asks for, found in the
textbook."""
