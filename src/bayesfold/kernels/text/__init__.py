"""Loops that read words and weigh them."""
