"""NTCIR QA Lab multiple choice, one file a method."""
