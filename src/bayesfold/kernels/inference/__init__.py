"""Loops that plan and run queries of a Bayesian network."""
