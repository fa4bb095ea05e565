"""Why a question was answered so: a trace's rows as screens of text."""
