"""Exams with known answers, made out of a textbook: they tell methods apart by thousands of
questions."""
