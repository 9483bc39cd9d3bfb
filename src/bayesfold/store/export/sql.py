"""A classifier as one SQL query, which DuckDB and PostgreSQL read alike: a row in, the decision and posteriors out.

>>> from bayesfold import NaiveBayes
>>> clf = NaiveBayes().fit({"coat": ["short", "long", "short", "short"]}, ["cat", "cat", "dog", "dog"])
>>> print(write(clf, table="pets"))
-- P(class | row) by a classifier that bayesfold exported...
WITH
bf_input AS MATERIALIZED (
  SELECT
    "coat" AS k0,
    CASE WHEN CAST("coat" AS VARCHAR) NOT IN ('') THEN CAST("coat" AS VARCHAR) END AS r0
  FROM "pets"
),
...
  CASE WHEN bf_finite = 0 THEN exp(GREATEST(posterior_1, -700e0)) END AS "P(dog)"
FROM bf_best
<BLANKLINE>
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bayesfold.decisions.risk import ROUNDING
from bayesfold.families._covariance import FARTHEST
from bayesfold.models.pool import FLOOR
from bayesfold.store.export._factors import MOST, Factor, Linear, Multinormal, Normal, Rate, Table
from bayesfold.store.export._lower import lower
from bayesfold.store.export._plan import Member, Plan
from bayesfold.store.export._query import Steps, array, exp, name, number, text, total
from bayesfold.store.export._sql_cells import Cells
from bayesfold.store.export._sql_networks import NetworkSteps
from bayesfold.store.export._text import plain

SUFFIXES = (".sql",)
MOST_NUMBERS = 1_000_000
HEADER = """\
-- P(class | row) by a classifier that bayesfold exported, for DuckDB and for PostgreSQL from version 12 on.
-- NULL, NaN and the empty text are missing; a row with an infinite number gets NULL, because it has no posterior.
"""


def write(
    classifier: Any,
    table: str | Sequence[str] = "rows",
    columns: Mapping[str, str] | None = None,
    keep: str | Sequence[str] | None = None,
    label: str = "prediction",
    probability: str = "P({})",
) -> str:
    """The query; `table` is a name, or a schema's and a table's, `columns` what columns are called there.

    `keep` are the columns of the table that the answer has too (all that the classifier reads), `label` is the name of
    the column with the decision, `probability` that of a column with a posterior, {} being the class.
    """
    plan = lower(classifier)
    refuse_large(plan)
    renamed = dict(columns or {})
    strangers = [c for c in renamed if c not in plan.sources]
    if strangers:
        raise ValueError(f"columns= renames {strangers[0]!r}, which this classifier does not read")
    cells = Cells(plan, renamed)
    kept = (
        [renamed.get(c, c) for c in plan.sources] if keep is None else [keep] if isinstance(keep, str) else list(keep)
    )
    answers = [label, *(probability.format(c) for c in plan.classes)]
    refuse_twice([*kept, *answers])
    source = ".".join(map(name, [table] if isinstance(table, str) else table))
    first = {f"k{i}": name(column) for i, column in enumerate(kept)} | cells.raw
    counted = any(m.networks is not None and m.networks.most_sums for m in plan.members)
    if counted:
        first["bf_row"] = "row_number() OVER ()"
    steps = Steps(source, first or {"bf_nothing": "1"})
    steps.add("bf_shown", cells.shown)
    steps.add("bf_cells", cells.columns | {"bf_finite": total([f"0e0 * COALESCE({x}, 0e0)" for x in cells.numbers])})
    steps.add("bf_bare", {"bf_bare": " AND ".join(f"NOT COALESCE({says}, FALSE)" for says in cells.says) or "TRUE"})
    logs = posteriors(plan, steps)
    chosen = decided(plan, steps, logs)
    shown = dict(zip(kept, (f"k{i}" for i in range(len(kept))), strict=True))
    found = [chosen, *(exp_of(plan, k, log) for k, log in enumerate(logs))]
    shown |= {a: f"CASE WHEN bf_finite = 0 THEN {value} END" for a, value in zip(answers, found, strict=True)}
    return f"{HEADER}{steps.query(shown, f'{chr(10)}ORDER BY bf_row' if counted else '')}\n"


def refuse_large(plan: Plan) -> None:
    """A query has to be read by people and parsers."""
    size = numbers_in(plain(plan))
    if size > MOST_NUMBERS:
        raise ValueError(
            f"as a query this classifier would have {size:,} numbers, and {MOST_NUMBERS:,} are the most; fit a smaller "
            "one (structure='naive', fewer levels), or export it as .onnx or .js"
        )


def refuse_twice(names: Sequence[str]) -> None:
    """A table has no two columns of one name; names that differ in case alone are one in DuckDB."""
    lowered = [n.lower() for n in names]
    twice = [n for n in names if lowered.count(n.lower()) > 1]
    if twice:
        raise ValueError(
            f"the answer would have two columns named {twice[0]!r}; say which columns to keep=, or give another label= "
            "or probability="
        )


def numbers_in(part: Any) -> int:
    """How many numbers a plain plan has."""
    if isinstance(part, dict):
        return sum(numbers_in(value) for value in part.values())
    return sum(numbers_in(item) for item in part) if isinstance(part, list) else int(isinstance(part, float | int))


# posteriors


def posteriors(plan: Plan, steps: Steps) -> list[str]:
    """The columns with log P(class | row)."""
    classes = len(plan.classes)
    said = [joint_of(member, m, classes, steps) for m, member in enumerate(plan.members)]
    if plan.pool is None:
        return normalised(steps, said[0], "posterior", set(plan.impossible))
    floored = [normalised(steps, logs, f"member{m}", set()) for m, logs in enumerate(said)]
    pool = {}
    for k in range(classes):
        terms = [
            f"{number(w)} * GREATEST({logs[k]}, {number(FLOOR)})"
            for w, logs in zip(plan.pool.weights, floored, strict=True)
        ]
        together = total([*terms, number(plan.pool.bias[k])])
        bare = f"CASE WHEN bf_bare THEN {number(plan.pool.bare[k])} ELSE {together} END"
        pool[f"j_{k}"] = f"{bare} + {number(plan.pool.shift[k])}"
    steps.add("bf_pool", pool)
    return normalised(steps, list(pool), "posterior", set(plan.impossible))


def normalised(steps: Steps, joint: Sequence[str], step: str, impossible: set[int]) -> list[str]:
    """log joints less the log of their sum; impossible classes are not in it."""
    possible = [k for k in range(len(joint)) if k not in impossible]
    top, rest, logs = f"{step}_top", f"{step}_rest", [f"{step}_{k}" for k in range(len(joint))]
    steps.add(f"bf_{step}_top", {top: f"GREATEST({', '.join(joint[k] for k in possible)})"})
    steps.add(f"bf_{step}_sum", {rest: f"ln({total([exp(f'{joint[k]} - {top}') for k in possible])})"})
    found = {log: f"{joint[k]} - {top} - {rest}" if k in possible else number(-np.inf) for k, log in enumerate(logs)}
    steps.add(f"bf_{step}", found)
    return logs


def joint_of(member: Member, m: int, classes: int, steps: Steps) -> list[str]:
    """The columns with what one member says: its log joint."""
    terms = [[number(p)] for p in member.prior]
    for i, factor in enumerate(member.factors):
        for k, term in enumerate(factor_of(factor, f"f{m}_{i}", classes, steps)):
            terms[k].append(term)
    if member.networks is not None:
        for k, term in enumerate(NetworkSteps(steps, member.networks, m, classes).logs):
            terms[k].append(term)
    joint = {}
    for k in range(classes):
        whole = f"{number(member.exponent)} * {total(terms[k])} + {number(member.bias[k])}"
        if member.bare is not None:
            whole = f"CASE WHEN bf_bare THEN {number(member.bare[k])} ELSE {whole} END"
        joint[f"j{m}_{k}"] = f"{whole} + {number(member.shift[k])}"
    steps.add(f"bf_joint{m}", joint)
    return list(joint)


def factor_of(factor: Factor, tag: str, classes: int, steps: Steps) -> list[str]:
    """What one column says of each class."""
    c, every = factor.column, range(classes)
    if isinstance(factor, Table):
        return [f"{array(factor.log[:, k])}[c{c} + 1]" for k in every]
    if isinstance(factor, Normal):
        away = [f"(x{c} - {number(factor.mean[k])})" for k in every]
        squares = [f"LEAST({number(factor.precision[k])} * {away[k]} * {away[k]}, {number(MOST)})" for k in every]
        return [f"CASE WHEN x{c} IS NULL THEN 0e0 ELSE {number(factor.constant[k])} - {squares[k]} END" for k in every]
    if isinstance(factor, Rate):
        line = f"LEAST(x{c}, {number(2.0**500)})"
        said = [f"{line} * {number(factor.slope[k])} - {number(factor.rate[k])}" for k in every]
        return [f"CASE WHEN x{c} >= 0 THEN {said[k]} ELSE 0e0 END" for k in every]
    if isinstance(factor, Linear):
        width = len(factor.weights)
        return [
            total([number(factor.constant[k]), *(f"v{c}_{d} * {number(factor.weights[d, k])}" for d in range(width))])
            for k in every
        ]
    return multinormal(factor, tag, classes, steps)


def multinormal(factor: Multinormal, tag: str, classes: int, steps: Steps) -> list[str]:
    """Steps for the axes in their units, and for them whitened; then the squares."""
    width = len(factor.unit)
    far = number(FARTHEST)
    z = [f"{tag}_z{d}" for d in range(width)]
    scaled = {
        z[d]: "0e0" if unit is None else f"LEAST(GREATEST(v{factor.column}_{d} / {number(unit)}, -{far}), {far})"
        for d, unit in enumerate(factor.unit)
    }
    steps.add(f"bf_{tag}_units", scaled)

    def whitened(x: Sequence[str], matrix: Any, d: int) -> str:
        return total([f"{x[i]} * {number(matrix[i, d])}" for i in range(width) if matrix[i, d] != 0])

    away: dict[str, str] = {}
    if factor.shared:
        steps.add(f"bf_{tag}_white", {f"{tag}_w{d}": whitened(z, factor.whitening[0], d) for d in range(width)})
        for k, mean in enumerate(factor.mean):
            away |= {f"{tag}_a{k}_{d}": f"{tag}_w{d} - {number(mean[d])}" for d in range(width)}
    else:
        moved = [[f"{tag}_m{k}_{d}" for d in range(width)] for k in range(classes)]
        centred = {moved[k][d]: f"{z[d]} - {number(factor.mean[k, d])}" for k in range(classes) for d in range(width)}
        steps.add(f"bf_{tag}_centred", centred)
        for k in range(classes):
            away |= {f"{tag}_a{k}_{d}": whitened(moved[k], factor.whitening[k], d) for d in range(width)}
    steps.add(f"bf_{tag}_away", away)
    squares = [total([f"{tag}_a{k}_{d} * {tag}_a{k}_{d}" for d in range(width)]) for k in range(classes)]
    power = number(factor.power)
    return [f"{power} * ({number(factor.constant[k])} - 5e-1 * {squares[k]})" for k in range(classes)]


# the decision


def exp_of(plan: Plan, k: int, log: str) -> str:
    """P of a class."""
    return "0e0" if k in plan.impossible else exp(log)


def decided(plan: Plan, steps: Steps, logs: Sequence[str]) -> str:
    """The label of least conditional risk, of these the most probable; or the reject label."""
    costs, limit = plan.decision.costs, plan.decision.reject_cost
    labels = [*plan.classes] if limit is None else [*plan.classes, plan.decision.reject_label]
    shown = literals(labels)
    classes = range(len(plan.classes))
    able = list(logs)
    if costs is not None or limit is not None:
        matrix = 1 - np.eye(len(plan.classes)) if costs is None else costs
        p = [exp_of(plan, k, log) for k, log in enumerate(logs)]
        risks = {f"risk_{d}": total([f"{number(matrix[d, t])} * {p[t]}" for t in classes]) for d in classes}
        stakes = {f"stake_{d}": total([f"{number(abs(matrix[d, t]))} * {p[t]}" for t in classes]) for d in classes}
        steps.add("bf_risk", risks | stakes)
    if costs is not None:
        steps.add("bf_least", {"least": f"LEAST({', '.join(f'risk_{d}' for d in classes)})"})
        able = [f"able_{d}" for d in classes]
        near = [f"risk_{d} <= least + {number(ROUNDING)} * stake_{d}" for d in classes]
        steps.add("bf_able", {able[d]: f"CASE WHEN {near[d]} THEN {logs[d]} END" for d in classes})
    steps.add("bf_best", {"best": f"GREATEST({', '.join(able)})"})
    choice = "CASE " + " ".join(f"WHEN {able[d]} = best THEN {{{d}}}" for d in classes) + " END"
    if limit is None:
        return choice.format(*shown)
    steps.add("bf_risk_taken", {"risk_taken": choice.format(*(f"risk_{d}" for d in classes))})
    return f"CASE WHEN risk_taken <= {number(limit)} THEN {choice.format(*shown)} ELSE {shown[-1]} END"


def literals(labels: Sequence[Any]) -> list[str]:
    """Labels as literals of one type: truth values, whole numbers, numbers, else text."""
    if all(isinstance(v, bool) for v in labels):
        return [str(v).upper() for v in labels]
    numeric = all(isinstance(v, int | float) and not isinstance(v, bool) for v in labels)
    if numeric:
        return [str(v) if all(isinstance(v, int) for v in labels) else number(float(v)) for v in labels]
    return [text(str(v)) for v in labels]
