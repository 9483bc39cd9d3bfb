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
  CASE WHEN bf_finite = 0 THEN CASE WHEN posterior_1 > -700e0 THEN exp(posterior_1) ELSE 0e0 END END AS "P(dog)"
FROM bf_best
<BLANKLINE>
"""

from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np

from bayesfold.data.own_names import own_name
from bayesfold.decisions.risk import ROUNDING
from bayesfold.models.pool import FLOOR
from bayesfold.store.export._factors import (
    MOST,
    Factor,
    LinearFactor,
    NormalFactor,
    ParzenFactor,
    RateFactor,
    TableFactor,
)
from bayesfold.store.export._lower import lower
from bayesfold.store.export._plan import Member, Plan
from bayesfold.store.export._query import Steps, quote_name, quote_text, write_array, write_exp, write_number, write_sum
from bayesfold.store.export._sql_cells import SqlCells
from bayesfold.store.export._sql_multinormal import squares_of
from bayesfold.store.export._sql_networks import NetworkSteps
from bayesfold.store.export._sql_parzen import nearness_of
from bayesfold.store.export._text import to_plain
from bayesfold.store.export._types import labels_as_text

SUFFIXES = (".sql",)
MOST_NUMBERS = 1_000_000
HEADER = """\
-- P(class | row) by a classifier that bayesfold exported, for DuckDB and for PostgreSQL from version 12 on.
-- It reads the table {table}; another one is given as table= (bayesfold export --set table=NAME).
-- NULL, NaN and the empty text are missing (but where numbers are read, a cast refuses an empty text); a row with an
-- infinite number gets NULL, because it has no posterior.
"""


def write(
    classifier: Any,
    table: str | Sequence[str] = "rows",
    columns: Mapping[str, str] | None = None,
    keep: str | Sequence[str] | None = None,
    label: str | None = None,
    probability: str | None = None,
) -> str:
    """The query; `table` is a name, or a schema's and a table's, `columns` what columns are called there.

    `keep` are the columns of the table that the answer has too (all that the classifier reads), `label` is the name of
    the column with the decision ("prediction"), `probability` that of a column with a posterior, {} being the class
    ("P({})"); where a column has such a name already, another is taken, unless it was asked for.
    """
    plan = lower(classifier)
    refuse_long_query(plan)
    renamed = dict(columns or {})
    strangers = [c for c in renamed if c not in plan.sources]
    if strangers:
        raise ValueError(f"columns= renames {strangers[0]!r}, which this classifier does not read")
    cells = SqlCells(plan, renamed)
    kept = (
        [renamed.get(c, c) for c in plan.sources] if keep is None else [keep] if isinstance(keep, str) else list(keep)
    )
    answers = answer_names(kept, label, probability, plan.classes)
    source = ".".join(map(quote_name, [table] if isinstance(table, str) else table))
    first = {f"k{i}": quote_name(column) for i, column in enumerate(kept)} | cells.raw
    counted = any(
        (m.networks is not None and m.networks.most_sums) or any(isinstance(f, ParzenFactor) for f in m.factors)
        for m in plan.members
    )
    if counted:
        first["bf_row"] = "row_number() OVER ()"
    steps = Steps(source, first or {"bf_nothing": "1"})
    steps.add("bf_shown", cells.shown)
    steps.add(
        "bf_cells", cells.columns | {"bf_finite": write_sum([f"0e0 * COALESCE({x}, 0e0)" for x in cells.numbers])}
    )
    steps.add("bf_bare", {"bf_bare": " AND ".join(f"NOT COALESCE({says}, FALSE)" for says in cells.says) or "TRUE"})
    logs = posteriors(plan, steps)
    chosen = decide(plan, steps, logs)
    shown = dict(zip(kept, (f"k{i}" for i in range(len(kept))), strict=True))
    values = [chosen, *(exp_of(plan, k, log) for k, log in enumerate(logs))]
    shown |= {a: f"CASE WHEN bf_finite = 0 THEN {value} END" for a, value in zip(answers, values, strict=True)}
    header = HEADER.format(table=" ".join(source.split()))
    return f"{header}{steps.query(shown, f'{chr(10)}ORDER BY bf_row' if counted else '')}\n"


def refuse_long_query(plan: Plan) -> None:
    """Refuse a query that is too long for people and parsers."""
    size = count_numbers(to_plain(plan))
    if size > MOST_NUMBERS:
        raise ValueError(
            f"as a query this classifier would have {size:,} numbers, and {MOST_NUMBERS:,} are the most; fit a smaller "
            "one (structure='naive', fewer levels), or export it as .onnx or .js"
        )


def answer_names(kept: Sequence[str], label: str | None, probability: str | None, classes: Sequence[Any]) -> list[str]:
    """The names of the decision and of the posteriors; one that was asked for and is not free is refused."""
    posteriors = [(probability or "P({})").format(c) for c in classes]
    asked = ([] if label is None else [label]) + ([] if probability is None else posteriors)
    refuse_twice([*kept, *asked])
    taken, answers = {n.lower() for n in (*kept, *asked)}, []
    for wish in [label or "prediction", *posteriors]:
        answers.append(wish if wish in asked else own_name_in_any_case(taken, wish))
        taken.add(answers[-1].lower())
    return answers


def own_name_in_any_case(taken: Container[str], wish: str) -> str:
    """A name that is not taken; those in `taken` are in small letters."""
    return wish if wish.lower() not in taken else wish + own_name(taken, wish.lower())[len(wish) :]


def refuse_twice(names: Sequence[str]) -> None:
    """A table has no two columns of one name; names that differ in case alone are one in DuckDB."""
    lowered = [n.lower() for n in names]
    twice = [n for n in names if lowered.count(n.lower()) > 1]
    if twice:
        raise ValueError(
            f"the answer would have two columns named {twice[0]!r}; say which columns to keep=, or give another label= "
            "or probability="
        )


def count_numbers(part: Any) -> int:
    """How many numbers a plain plan has."""
    if isinstance(part, dict):
        return sum(count_numbers(value) for value in part.values())
    return sum(count_numbers(item) for item in part) if isinstance(part, list) else int(isinstance(part, float | int))


# posteriors


def posteriors(plan: Plan, steps: Steps) -> list[str]:
    """The columns with log P(class | row)."""
    classes = len(plan.classes)
    said = [joint_of(plan, member, m, steps) for m, member in enumerate(plan.members)]
    if plan.pool is None:
        return normalise_joint(steps, said[0], "posterior", set(plan.impossible))
    floored = [normalise_joint(steps, logs, f"member{m}", set()) for m, logs in enumerate(said)]
    pool, doubt = {}, write_number(plan.pool.doubt)
    for k in range(classes):
        terms = [
            f"{write_number(w)} * ln(exp(GREATEST({logs[k]}, {write_number(FLOOR)})) + {doubt})"
            for w, logs in zip(plan.pool.weights, floored, strict=True)
        ]
        together = write_sum([*terms, write_number(plan.pool.bias[k])])
        bare = f"CASE WHEN bf_bare THEN {write_number(plan.pool.bare[k])} ELSE {together} END"
        pool[f"j_{k}"] = f"{bare} + {write_number(plan.pool.shift[k])}"
    steps.add("bf_pool", pool)
    return normalise_joint(steps, list(pool), "posterior", set(plan.impossible))


def normalise_joint(steps: Steps, joint: Sequence[str], step: str, impossible: set[int]) -> list[str]:
    """log joints less the log of their sum; impossible classes are not in it."""
    possible = [k for k in range(len(joint)) if k not in impossible]
    top, rest, logs = f"{step}_top", f"{step}_rest", [f"{step}_{k}" for k in range(len(joint))]
    steps.add(f"bf_{step}_top", {top: f"GREATEST({', '.join(joint[k] for k in possible)})"})
    steps.add(f"bf_{step}_sum", {rest: f"ln({write_sum([write_exp(f'{joint[k]} - {top}') for k in possible])})"})
    columns = {
        log: f"{joint[k]} - {top} - {rest}" if k in possible else write_number(-np.inf) for k, log in enumerate(logs)
    }
    steps.add(f"bf_{step}", columns)
    return logs


def joint_of(plan: Plan, member: Member, m: int, steps: Steps) -> list[str]:
    """The columns with what one member says: its log joint."""
    classes = len(plan.classes)
    terms = [[write_number(p)] for p in member.prior]
    for i, factor in enumerate(member.factors):
        for k, term in enumerate(factor_of(factor, plan.columns[factor.column], f"f{m}_{i}", classes, steps)):
            terms[k].append(term)
    if member.networks is not None:
        for k, term in enumerate(NetworkSteps(steps, member.networks, m, classes).logs):
            terms[k].append(term)
    joint = {}
    for k in range(classes):
        whole = f"{write_number(member.exponent)} * {write_sum(terms[k])} + {write_number(member.bias[k])}"
        if member.bare is not None:
            whole = f"CASE WHEN bf_bare THEN {write_number(member.bare[k])} ELSE {whole} END"
        joint[f"j{m}_{k}"] = f"{whole} + {write_number(member.shift[k])}"
    steps.add(f"bf_joint{m}", joint)
    return list(joint)


def factor_of(factor: Factor, vector: Any, tag: str, classes: int, steps: Steps) -> list[str]:
    """What one column says of each class; `vector` is the column itself, where it is one."""
    c, every = factor.column, range(classes)
    if isinstance(factor, TableFactor):
        return [f"{write_array(factor.log[:, k])}[c{c} + 1]" for k in every]
    if isinstance(factor, NormalFactor):
        away = [f"(x{c} - {write_number(factor.mean[k])})" for k in every]
        raw = [f"{write_number(factor.precision[k])} * {away[k]} * {away[k]}" for k in every]
        squares = [f"GREATEST(LEAST({square}, {write_number(MOST)}), {write_number(-MOST)})" for square in raw]
        return [
            f"CASE WHEN x{c} IS NULL THEN 0e0 ELSE {write_number(factor.constant[k])} - {squares[k]} END" for k in every
        ]
    if isinstance(factor, RateFactor):
        line = f"LEAST(x{c}, {write_number(2.0**500)})"
        said = [f"{line} * {write_number(factor.slope[k])} - {write_number(factor.rate[k])}" for k in every]
        return [f"CASE WHEN x{c} >= 0 THEN {said[k]} ELSE 0e0 END" for k in every]
    if isinstance(factor, LinearFactor):
        width = len(factor.weights)
        return [
            write_sum(
                [
                    write_number(factor.constant[k]),
                    *(f"v{c}_{d} * {write_number(factor.weights[d, k])}" for d in range(width)),
                ]
            )
            for k in every
        ]
    if isinstance(factor, ParzenFactor):
        return nearness_of(factor, vector, tag, steps)
    return squares_of(factor, vector, tag, steps)


# the decision


def exp_of(plan: Plan, k: int, log: str) -> str:
    """The expression of P(class | row) for one class."""
    return "0e0" if k in plan.impossible else write_exp(log)


def decide(plan: Plan, steps: Steps, logs: Sequence[str]) -> str:
    """The label of least conditional risk, of these the most probable; or the reject label."""
    costs, limit = plan.decision.costs, plan.decision.reject_cost
    labels = [*plan.classes] if limit is None else [*plan.classes, plan.decision.reject_label]
    shown = literals(labels)
    classes = range(len(plan.classes))
    able = list(logs)
    if costs is not None or limit is not None:
        matrix = 1 - np.eye(len(plan.classes)) if costs is None else costs
        p = [exp_of(plan, k, log) for k, log in enumerate(logs)]
        risks = {f"risk_{d}": write_sum([f"{write_number(matrix[d, t])} * {p[t]}" for t in classes]) for d in classes}
        stakes = {
            f"stake_{d}": write_sum([f"{write_number(abs(matrix[d, t]))} * {p[t]}" for t in classes]) for d in classes
        }
        steps.add("bf_risk", risks | stakes)
    if costs is not None:
        steps.add("bf_least", {"least": f"LEAST({', '.join(f'risk_{d}' for d in classes)})"})
        able = [f"able_{d}" for d in classes]
        near = [f"risk_{d} <= least + {write_number(ROUNDING)} * stake_{d}" for d in classes]
        steps.add("bf_able", {able[d]: f"CASE WHEN {near[d]} THEN {logs[d]} END" for d in classes})
    steps.add("bf_best", {"best": f"GREATEST({', '.join(able)})"})
    choice = "CASE " + " ".join(f"WHEN {able[d]} = best THEN {{{d}}}" for d in classes) + " END"
    if limit is None:
        return choice.format(*shown)
    steps.add("bf_risk_taken", {"risk_taken": choice.format(*(f"risk_{d}" for d in classes))})
    return f"CASE WHEN risk_taken <= {write_number(limit)} THEN {choice.format(*shown)} ELSE {shown[-1]} END"


def literals(labels: Sequence[Any]) -> list[str]:
    """Labels as literals of one type: truth values, whole numbers, numbers, else text."""
    if all(isinstance(v, bool) for v in labels):
        return [str(v).upper() for v in labels]
    numeric = all(isinstance(v, int | float) and not isinstance(v, bool) for v in labels)
    if numeric:
        return [str(v) if all(isinstance(v, int) for v in labels) else write_number(float(v)) for v in labels]
    return [quote_text(text) for text in labels_as_text(labels)]
