"""A table with everything in it: text that is hard to quote, numbers of every family, truth values, holes."""

from typing import Any

import numpy as np

DRAW = np.random.default_rng(3)
HARD = """co"l'our 😀"""  # a name that must be quoted in every language


def some(rows: int) -> tuple[dict[str, list[Any]], list[str]]:
    """Columns and labels."""
    label = DRAW.choice(["p", "q's", "r"], rows, p=[0.5, 0.3, 0.2])
    size = DRAW.choice(["s", "m", "l"], rows)
    columns: dict[str, Any] = {
        HARD: np.where(
            DRAW.random(rows) < 0.6, label, DRAW.choice(["p", "'); DROP TABLE rows; --", "<\\u003c>"], rows)
        ),
        "size": size,
        "as size": np.where(DRAW.random(rows) < 0.8, size, DRAW.choice(["s", "m", "l"], rows)),
        "mass": DRAW.normal(size=rows) + (label == "q's"),
        "dose": np.exp(DRAW.normal(size=rows) + (label == "r")),
        "rooms": DRAW.poisson(2 + 3 * (label == "p")).astype(float),
        "grade": DRAW.integers(0, 4, rows),
        "member": DRAW.random(rows) < 0.3 + 0.4 * (label == "p"),
    }
    holes = {name: DRAW.random(rows) < 0.12 for name in columns}
    columns["sex"] = DRAW.choice(["f", "m"], rows)
    columns["pregnant"] = (columns["sex"] == "f") & (DRAW.random(rows) < 0.5)  # which brings the sex with it
    holes |= dict.fromkeys(("sex", "pregnant"), np.zeros(rows, bool))
    return {
        name: [None if hole else cell for cell, hole in zip(cells.tolist(), holes[name], strict=True)]
        for name, cells in columns.items()
    }, label.tolist()


X, Y = some(160)
NEW = some(40)[0]
for name, cell in (("size", "never seen"), (HARD, "never seen"), ("grade", 77), ("dose", -3.0), ("rooms", 0.0)):
    NEW[name][::7] = [cell] * len(NEW[name][::7])
NEW["sex"][2::9] = [None] * len(NEW["sex"][2::9])
for cells in NEW.values():
    cells[1] = None  # a row in which nothing is known
for name, cells in NEW.items():
    cells[3] = "m" if name == "size" else None  # ... and one of which a single cell is
