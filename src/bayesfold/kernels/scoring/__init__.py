"""Loops that score rows: densities, tables of parents, weights of parts."""
