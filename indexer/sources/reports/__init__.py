"""Securities reports, a document a table: the command."""
