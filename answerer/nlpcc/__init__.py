"""NLPCC 2017's tasks."""
