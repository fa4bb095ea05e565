"""NTCIR QA Lab's tasks."""
