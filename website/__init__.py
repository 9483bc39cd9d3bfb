"""The documentation as a site: `python -m website` builds it into build/site, from docs/, docstrings and examples/."""
