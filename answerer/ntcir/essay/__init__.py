"""NTCIR essay questions: from a sheet's section to passages, sentences and a text within its
limit."""
