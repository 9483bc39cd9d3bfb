"""What a request may ask for: past a limit it is refused with a reason, and the server lives."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Sizes in bytes, times in seconds; `threads` questions are worked on at once, `waiting` more may wait."""

    body: int = 8 << 20
    upload: int = 256 << 20  # of a table that is sent as a file, also once it is unpacked
    rows: int = 1_000_000
    cells: int = 50_000_000
    columns: int = 10_000
    seconds: float = 30.0
    slow: float = 20.0  # from the first byte of a request's body to its last
    threads: int = 4
    waiting: int = 256
    tables: int = 8
    models: int = 32
    fits: int = 2
    connections: int = 512
