"""A small table with text, numbers, truth values and holes, made anew from a seed."""

import csv
import io

import numpy as np


def pets(rows=60, seed=0):
    """Lines of cells, the first the names; `pet` is the class."""
    draw = np.random.default_rng(seed)
    lines = [["coat", "mass", "indoor", "pet"]]
    for _ in range(rows):
        cat = draw.random() < 0.5
        coat = draw.choice(["short", "long", "curly"], p=[0.3, 0.6, 0.1] if cat else [0.5, 0.2, 0.3])
        mass = f"{abs(draw.normal(4.5, 1.0) if cat else draw.normal(22, 8)):.1f}"
        indoor = "true" if draw.random() < (0.8 if cat else 0.3) else "false"
        cells = [str(coat), mass, indoor, "cat" if cat else "dog"]
        lines.append([cell if i == 3 or draw.random() > 0.05 else "" for i, cell in enumerate(cells)])
    return lines


def text(lines, end="\n", separator=","):
    """Lines of cells as a text table."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator=end).writerows(lines)
    return out.getvalue()


def write(path, lines, **choices):
    """A text table in a file."""
    path.write_bytes(text(lines, **choices).encode())
    return path


def read(path_or_text):
    """A text table as dicts."""
    content = path_or_text if isinstance(path_or_text, str) else path_or_text.read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(content, newline="")))
