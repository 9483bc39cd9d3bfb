"""Loops that read tables and count: codes, cells, moments, pairs."""
