"""Text tables as nobody would write them by hand: the same cells in every quoting, separator, line end and encoding.

A file is made from its seed alone: the cells that it holds, and bytes that say them. What is damaged on purpose is made
of such bytes.
"""

import csv
import gzip
import io
from dataclasses import dataclass

import numpy as np

LETTERS = ["a", "b", "ü", "名", "🙂", " ", "'", ".", "-", "#", "=", "%"]
ODD = [
    'say "x"',
    "a,b",
    "a;b",
    "a\tb",
    "two\nlines",
    "cr\r\nlf",
    '"',
    "",
    " lead",
    "x" * 300,
    "|",
    "BZh",
    "PAR1",
    "sep=;",
]
ENDS = ["\n", "\r\n", "\r"]
ENCODINGS = ["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-8-sig", "utf-32"]


@dataclass(frozen=True)
class File:
    """Names and rows of cells, the bytes that say them, and the ending of the file's name."""

    names: list[str]
    rows: list[list[str]]
    data: bytes
    ending: str


def file(seed: int) -> File:
    """The file of this seed."""
    draw = np.random.default_rng([seed, 2])
    rows = int(draw.integers(20, 60))
    names = [f"{word(draw)}{i}" for i in range(int(draw.integers(1, 5)))] + ["y"]
    columns = [column(draw, rows) for _ in names[:-1]] + [[str(c) for c in draw.choice(["n", "p"], rows)]]
    columns[-1][:2] = ["n", "p"]
    cells = [list(row) for row in zip(*columns, strict=True)]
    separator, end = str(draw.choice([",", ";", "\t", "|"])), str(draw.choice(ENDS, p=[0.5, 0.4, 0.1]))
    quoting = int(draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
    if end == "\r":  # within quotes such a line end could not be told from a line break of the text
        cells = [[cell.replace("\r\n", " ").replace("\n", " ") for cell in row] for row in cells]
    text = written(names, cells, separator, end, quoting)
    if draw.random() < 0.3:
        text = text.removesuffix(end)
    if draw.random() < 0.3:
        text = text + end * 3
    data = text.encode(str(draw.choice(ENCODINGS)))
    ending = str(draw.choice([".csv", ".txt", ".csv.gz", ""]))
    return File(names, cells, gzip.compress(data) if ending.endswith("gz") else data, ending)


def written(names: list[str], rows: list[list[str]], separator: str, end: str, quoting: int) -> str:
    """The text that says these cells."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator=end, quoting=quoting)  # type: ignore[arg-type]
    writer.writerows([names, *rows])
    return out.getvalue()


def plain(made: File) -> bytes:
    """The same cells as a program would write them."""
    return written(made.names, made.rows, ",", "\n", csv.QUOTE_ALL).encode()


def column(draw: np.random.Generator, rows: int) -> list[str]:
    """Cells of numbers, of few words, or of any."""
    kind = int(draw.integers(4))
    if kind == 0:
        return [f"{x:.{int(draw.integers(0, 6))}f}" for x in draw.normal(size=rows) * 10.0 ** int(draw.integers(-3, 6))]
    if kind == 1:
        return [str(int(i)) for i in draw.integers(-5, 5, rows)]
    some = [word(draw) for _ in range(int(draw.integers(2, 6)))] + [str(w) for w in draw.choice(ODD, 2)] * (kind == 3)
    return [some[int(i)] for i in draw.integers(0, len(some), rows)]


def word(draw: np.random.Generator) -> str:
    """A few letters."""
    return "w" + "".join(str(c) for c in draw.choice(LETTERS, int(draw.integers(1, 6))))


def damaged(data: bytes, seed: int) -> bytes:
    """Bytes cut off, turned over, doubled or put in."""
    draw = np.random.default_rng([seed, 3])
    bytes_ = bytearray(data)
    for _ in range(int(draw.integers(1, 5))):
        at, how = int(draw.integers(0, max(1, len(bytes_)))), int(draw.integers(5))
        if how == 0:
            del bytes_[at:]
        elif how == 1 and bytes_:
            bytes_[at % len(bytes_)] = int(draw.integers(256))
        elif how == 2:
            bytes_[at:at] = bytes_[at : at + 50]
        elif how == 3:
            bytes_[at:at] = draw.choice([b"\0", b'"', b"\r", b"\xff", b"\n\n", b",,,", b"\xef\xbb\xbf"])
        else:
            del bytes_[at : at + int(draw.integers(1, 40))]
    return bytes(bytes_)
