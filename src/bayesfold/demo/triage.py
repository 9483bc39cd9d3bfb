"""A generated table of people who come to an emergency department, and where each should go; the numbers are our own.

Most go home, few need intensive care, and the three overlap: no column decides by itself.
"""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

PLACES = np.array(["home", "intensive care", "ward"])
SHARES = (0.72, 0.06, 0.22)
HOLES = 0.06
LOSS = {
    "home": {"ward": 6, "intensive care": 60},
    "ward": {"home": 2, "intensive care": 15},
    "intensive care": {"home": 8, "ward": 4},
}
"""loss[decision][truth] in hours of work that a wrong decision makes; a second look costs SECOND_LOOK."""
SECOND_LOOK = 1.5


def triage(rows: int, seed: int = 0) -> tuple[pa.Table, NDArray[np.str_]]:
    """The table, one cell in sixteen missing, and where each person should go."""
    draw = np.random.default_rng(seed)
    place = draw.choice(len(PLACES), rows, p=SHARES)
    gravity = np.array([0.0, 1.0, 0.5])[place] + 0.12 * draw.standard_normal(rows)
    columns: dict[str, Any] = {
        "age": (45 + 22 * gravity + 18 * draw.standard_normal(rows)).clip(1, 99).round(),
        "pulse": (78 + 30 * gravity + 13 * draw.standard_normal(rows)).round(),
        "oxygen": (97.5 - 6.5 * gravity + 1.8 * draw.standard_normal(rows)).clip(60, 100).round(1),
        "temperature": (36.9 + 0.9 * gravity + 0.7 * draw.standard_normal(rows)).round(1),
        "awake": words(draw, gravity, ("alert", "confused", "not"), (0.55, 1.1)),
        "arrival": words(draw, gravity, ("on foot", "by ambulance"), (0.5,)),
        "pain": draw.binomial(10, (0.35 + 0.2 * gravity).clip(0, 1)).astype(float),
    }
    holes = {name: draw.random(rows) < HOLES for name in columns}
    return pa.table({name: pa.array(v, mask=holes[name]) for name, v in columns.items()}), PLACES[place]


def words(
    draw: "np.random.Generator", gravity: NDArray[np.float64], levels: tuple[str, ...], steps: tuple[float, ...]
) -> NDArray[Any]:
    """A level for each row: the graver, the later in the list."""
    noisy = gravity + 0.35 * draw.standard_normal(len(gravity))
    return np.array(levels, object)[np.searchsorted(steps, noisy)]
