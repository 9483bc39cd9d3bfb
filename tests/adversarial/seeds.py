"""Which seeds are tried: all of them in a soak, otherwise every tenth."""

import os


def seeds(full: int) -> range:
    """The seeds of one test."""
    return range(0, full, 1 if os.environ.get("BAYESFOLD_SOAK") == "1" else 10)
