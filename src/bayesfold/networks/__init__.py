"""Bayesian networks: structure, inference, file formats, Markov chains and factor graphs; never imports models."""
