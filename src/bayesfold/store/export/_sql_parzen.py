"""SQL of kernels around landmarks: the rows beside a table of the landmarks, summed by row.

Every row meets every landmark, so a query takes rows times landmarks; what is summed is relative to the nearest one.
"""

import numpy as np

from bayesfold.store.export._columns import VectorColumn
from bayesfold.store.export._factors import ParzenFactor
from bayesfold.store.export._query import Steps, write_array, write_exp, write_number, write_sum
from bayesfold.store.export._sql_multinormal import split_axes


def nearness_of(factor: ParzenFactor, vector: VectorColumn, tag: str, steps: Steps) -> list[str]:
    """Steps for the coordinates, the landmarks, the squares of distances and what is near; then the log densities."""
    numbers, indicators = split_axes(vector)
    coordinates = range(factor.whitening.shape[1])
    origin = -factor.centre @ factor.whitening
    turned = {}
    for j in coordinates:
        axis = factor.whitening[:, j]
        terms = [write_number(float(origin[j]))]
        terms += [f"v{factor.column}_{d} * {write_number(axis[d])}" for d in numbers if axis[d] != 0]
        terms += [
            f"{write_array(shown @ axis[first : first + shown.shape[1]])}[s{factor.column}_{first} + 1]"
            for first, shown in indicators.items()
        ]
        turned[f"{tag}_x{j}"] = write_sum(terms)
    steps.add(f"bf_{tag}_turned", turned)
    main, classes = steps.last, range(len(factor.total))
    weights = {f"{tag}_n{k}": f"unnest({write_array(factor.weight[:, k])})" for k in classes}
    places = {f"{tag}_z{j}": f"unnest({write_array(factor.places[:, j])})" for j in coordinates}
    landmarks = steps.begin(f"bf_{tag}_landmarks", "(SELECT 1 AS one) AS bf_one", places | weights)
    away = [f"({tag}_x{j} - {tag}_z{j})" for j in coordinates]
    square = write_sum([f"{a} * {a}" for a in away])
    carried = {name: name for name in weights}
    steps.begin(f"bf_{tag}_pairs", f"{main} CROSS JOIN {landmarks}", {"bf_row": "bf_row", f"{tag}_d": square} | carried)
    least = {f"{tag}_least": f"MIN({tag}_d) OVER (PARTITION BY bf_row)"}
    steps.add(f"bf_{tag}_least", least)
    factor_of_pair = write_exp(f"{write_number(-factor.precision)} * ({tag}_d - {tag}_least)")
    steps.add(f"bf_{tag}_factors", {f"{tag}_e": factor_of_pair})
    near = {f"{tag}_near{k}": f"SUM({tag}_e * {tag}_n{k})" for k in classes}
    summed = steps.begin(f"bf_{tag}_near", steps.last, {"bf_row": "bf_row"} | near, "\n  GROUP BY bf_row")
    steps.join(f"bf_{tag}_joined", main, summed)
    every, common = write_sum(list(near)), write_number(float(factor.m / np.sum(factor.total)))
    return [
        f"{write_number(factor.power)} * (ln({name} / {every} + {common}) - "
        f"{write_number(float(np.log(factor.total[k] + factor.m)))})"
        for k, name in enumerate(near)
    ]
