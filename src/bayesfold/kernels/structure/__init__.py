"""For `networks.learning`: sets of columns counted once, and the search for arcs."""
