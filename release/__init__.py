"""Wheels: `./dev wheel` builds them for every Python that is here, and tries each in an empty environment."""
