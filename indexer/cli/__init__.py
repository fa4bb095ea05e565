"""Command lines of all programs: commands, parameter types, running and ending."""
