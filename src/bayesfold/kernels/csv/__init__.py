"""Loops that split bytes into fields."""
