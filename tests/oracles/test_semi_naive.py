"""SPODE, AODE, A2DE, TAN and KDB by enumeration of raw rows in plain Python, against the compiled tables."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold import AODE, KDB, SPODE, TAN
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.families.categorical import Categorical
from bayesfold.families.m_estimate import MEstimate
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.models.structures.aode import Aode
from bayesfold.models.structures.kdb import Kdb
from bayesfold.models.structures.spode import Spode
from bayesfold.models.structures.tan import Tan
from bayesfold.tally.counter import count

from .test_printed_answers import MELON, WATERMELON

NAMES = "STUV"
CLASSES = ("p", "q", "r")
ZERO = -1000 * math.log(2)


class Enumeration:
    """Every probability by walking over the rows; `m` is (first, deeper) pseudo rows, or None where alpha counts."""

    def __init__(self, rows, labels, weights=None, alpha=None, m=None, prior_alpha=1.0, minimum=0.0):
        self.rows = list(zip(rows, labels, weights or [1.0] * len(rows), strict=True))
        self.alpha, self.m, self.prior_alpha, self.minimum = alpha, m, prior_alpha, minimum
        self.classes = sorted(set(labels))
        self.levels = {n: sorted({row[n] for row in rows} - {None}) for n in NAMES}

    def weight(self, c=None, known=(), **values):
        """Of the rows of a class that show these values, and any value in the columns `known`."""
        return sum(
            w
            for row, label, w in self.rows
            if (c is None or label == c)
            and all(row[n] is not None for n in known)
            and all(row[n] == x for n, x in values.items())
        )

    def ratio(self, n, total, cells):
        below = total + cells * self.alpha
        return (n + self.alpha) / below if below > 0 else 1 / cells

    def prior(self, c):
        n, total = self.weight(c), self.weight()
        return (n + self.prior_alpha) / (total + len(self.classes) * self.prior_alpha)

    def given(self, child, x, c, parents=()):
        """P(child = x | class, parents), `parents` being (column, value) pairs, the strongest first."""
        levels = len(self.levels[child])
        if self.m is None:
            shown = dict(parents)
            return self.ratio(self.weight(c, **shown, **{child: x}), self.weight(c, (child,), **shown), levels)
        p = (self.weight(**{child: x}) + 1) / (self.weight(known=(child,)) + levels)
        for depth in range(len(parents) + 1):
            shown, m = dict(parents[:depth]), self.m[min(depth, 1)]
            p = (self.weight(c, **shown, **{child: x}) + m * p) / (self.weight(c, (child,), **shown) + m)
        return p

    def beside(self, parent, x, c):
        """log P(class, parent = x) / P(class)."""
        if self.m is not None:
            return log(self.given(parent, x, c))
        whole, levels, classes = self.weight(known=(parent,)), len(self.levels[parent]), len(self.classes)
        prior = self.ratio(self.weight(c, (parent,)), whole, classes)
        return log(self.ratio(self.weight(c, **{parent: x}), whole, classes * levels)) - math.log(prior or 1.0)

    def known(self, asked):
        return {n: x for n, x in asked.items() if x in self.levels[n]}

    def naive(self, asked, c):
        return sum(log(self.given(n, x, c)) for n, x in self.known(asked).items())

    def telling(self, asked, limit):
        """The values of a row but those that another one, shown by enough rows, never comes without."""
        known = self.known(asked)

        def brings(z, x):
            n = self.weight(**{z: known[z]})
            return n >= limit - 1e-9 and abs(self.weight(**{z: known[z], x: known[x]}) - n) < 1e-9

        def redundant(x):
            return any(brings(z, x) and not (brings(x, z) and x < z) for z in known if z != x)

        return {n: x for n, x in known.items() if not limit or not redundant(n)}

    def averaged(self, asked, parents, subsumption=0.0):
        """The mean over super-parents (tuples of columns) that have a say; naive Bayes where none has."""
        known = self.telling(asked, subsumption)
        heard = [ps for ps in parents if all(n in known and self.weight(**{n: known[n]}) >= self.minimum for n in ps)]
        found = []
        for c in self.classes:
            said = []
            for ps in heard:
                above = [(p, known[p]) for p in ps]
                total = self.beside(*above[0], c)
                total += sum(log(self.given(*above[i], c, above[:i])) for i in range(1, len(ps)))
                said.append(total + sum(log(self.given(n, x, c, above)) for n, x in known.items() if n not in ps))
            mean = log_sum(said) - math.log(len(said)) if said else self.naive(known, c)
            found.append(math.log(self.prior(c)) + mean)
        return found

    def network(self, asked, parents):
        """One network, parents by column; every missing column summed out over its levels, needed or not."""
        known = self.known(asked)
        holes = [n for n in NAMES if n not in known and self.levels[n]]
        found = []
        for c in self.classes:
            said = []
            for values in product(*(self.levels[n] for n in holes)):
                full = known | dict(zip(holes, values, strict=True))
                factors = (
                    self.given(n, x, c, [(p, full[p]) for p in parents[n] if p in full]) for n, x in full.items()
                )
                said.append(sum(map(log, factors)))
            found.append(math.log(self.prior(c)) + log_sum(said))
        return found

    def information(self, *columns):
        """I(X; C), or I(X; Y | C) of two columns, in nats."""
        whole = self.weight(known=columns)
        total = 0.0
        for values in product(*(self.levels[n] for n in columns)):
            for c in self.classes:
                n = self.weight(c, **dict(zip(columns, values, strict=True)))
                if n and len(columns) == 1:
                    total += n * math.log(n * whole / self.weight(**{columns[0]: values[0]}) / self.weight(c, columns))
                elif n:
                    (a, b), (x, y) = columns, values
                    apart = self.weight(c, (b,), **{a: x}) * self.weight(c, (a,), **{b: y})
                    total += n * math.log(n * self.weight(c, columns) / apart)
        return total / whole if whole else 0.0


def log(p):
    return max(math.log(p), ZERO) if p > 0 else ZERO


def log_sum(logs):
    top = max(logs)
    return top + math.log(math.fsum(math.exp(x - top) for x in logs))


def model_of(structure, rows, labels, weights, alpha, m, prior_alpha):
    schema = Schema(Categories("y"), tuple(Categories(n) for n in NAMES)).with_classes(labels)
    schema = schema.grown(frame_of(rows))
    batch = schema.encode(frame_of(rows), np.array(labels), None if weights is None else np.array(weights))
    mixture = structure.learn(schema, lambda wanted: count(schema, wanted, batch))
    family = Categorical(alpha) if m is None else MEstimate(*m)
    known = {"y": Categorical(prior_alpha)} | dict.fromkeys(NAMES, family)
    return Model(mixture, known, count(schema, cliques(schema, mixture, known), batch))


def frame_of(rows):
    return Frame.of({n: [row[n] for row in rows] for n in NAMES})


def asked_of(model, rows):
    """Scores of rows, classes in alphabetical order."""
    found = model.log_joint(model.schema.encode(frame_of(rows)))
    return found[:, np.argsort(model.classes)]


def parents_of(model):
    (network,) = model.mixture.networks
    return {n.children[0]: tuple(p for p in n.parents if p != "y") for n in network[1:]}


ROW = st.fixed_dictionaries(
    {
        "S": st.sampled_from([None, "u", "v", "w"]),
        "T": st.sampled_from([None, "u", "v"]),
        "U": st.sampled_from(["u", "v", "w", "x"]),
        "V": st.sampled_from([None, "u", "v"]),
    }
)
ASKED = st.fixed_dictionaries(
    {n: st.sampled_from([None, "u", "v", "w", "never"]) for n in NAMES},
)
PROBLEMS = st.fixed_dictionaries(
    {
        "table": st.lists(
            st.tuples(st.sampled_from(CLASSES), ROW, st.sampled_from([1.0, 2.0, 0.5, 1.7])), min_size=1, max_size=14
        ),
        "weighted": st.booleans(),
        "asked": st.lists(ASKED, min_size=1, max_size=4).map(lambda rows: [*rows, dict.fromkeys(NAMES)]),
        "smoothing": st.sampled_from(
            [{"alpha": 0.0}, {"alpha": 0.5}, {"alpha": 1.0}, {"m": (1.0, 1.0)}, {"m": (1.0, 5.0)}, {"m": (0.3, 2.0)}]
        ),
        "prior_alpha": st.sampled_from([0.0, 1.0, 2.5]),
    }
)


def both(structure, problem, minimum=0.0):
    """The model and the enumeration of one problem."""
    labels, rows, weights = (list(part) for part in zip(*problem["table"], strict=True))
    smoothing = {"alpha": None, "m": None, **problem["smoothing"]}
    weights = weights if problem["weighted"] else None
    prior_alpha = problem["prior_alpha"]
    model = model_of(structure, rows, labels, weights, prior_alpha=prior_alpha, **smoothing)
    return model, Enumeration(rows, labels, weights, prior_alpha=prior_alpha, minimum=minimum, **smoothing)


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("parent", NAMES)
@given(problem=PROBLEMS)
def test_spode(parent, problem):
    model, brute = both(Spode(parent), problem)
    same(asked_of(model, problem["asked"]), [brute.averaged(row, [(parent,)]) for row in problem["asked"]])


@given(problem=PROBLEMS, minimum=st.sampled_from([0.0, 1.0, 2.0, 3.5, 100.0]))
def test_aode(problem, minimum):
    model, brute = both(Aode(minimum), problem, minimum)
    same(asked_of(model, problem["asked"]), [brute.averaged(row, [(n,) for n in NAMES]) for row in problem["asked"]])


@given(problem=PROBLEMS, minimum=st.sampled_from([0.0, 1.0, 3.0]))
def test_a2de(problem, minimum):
    model, brute = both(Aode(minimum, 2), problem, minimum)
    pairs = list(combinations(NAMES, 2))
    same(asked_of(model, problem["asked"]), [brute.averaged(row, pairs) for row in problem["asked"]])


@pytest.mark.parametrize("n", [1, 2])
@given(problem=PROBLEMS, minimum=st.sampled_from([0.0, 1.0, 2.0]), limit=st.sampled_from([0.0, 1.0, 1.7, 3.0]))
def test_subsumption(n, problem, minimum, limit):
    model, brute = both(Aode(minimum, n, limit), problem, minimum)
    parents = list(combinations(NAMES, n))
    asked = [*problem["asked"], *(row for _, row, _ in problem["table"])]
    same(asked_of(model, asked), [brute.averaged(row, parents, limit) for row in asked])
    batch = model.schema.encode(frame_of(asked))
    same(model.contributions(batch).sum(1), model.log_joint(batch))


@given(problem=PROBLEMS, limit=st.sampled_from([0.0, 1.0, 2.0]))
def test_subsumption_with_each_row_left_out(problem, limit):
    """Levels and classes stay those of all rows; the row is gone whole, also from what brings what."""
    problem |= {"prior_alpha": 1.0}
    model, brute = both(Aode(1.0, 1, limit), problem, 1.0)
    labels, rows, _ = (list(part) for part in zip(*problem["table"], strict=True))
    every = list(brute.rows)
    batch = model.schema.encode(frame_of(rows), np.array(labels), np.array([w for *_, w in every]))
    found = model.log_joint(batch, leave_out=True)[:, np.argsort(model.classes)]
    for i, (row, label, _) in enumerate(every):
        brute.rows = [*every[:i], (row, label, 0.0), *every[i + 1 :]]
        same(found[i], brute.averaged(row, [(n,) for n in NAMES], limit))


def test_a_value_that_another_brings_with_it_is_left_out():
    """Female is implied by pregnant, and copies say a thing once."""
    sex = ["f"] * 60 + ["m"] * 60
    pregnant = ["yes"] * 20 + ["no"] * 100
    ill = [*"abababbbbb" * 12]
    columns = {"sex": sex, "pregnant": pregnant, "again": sex, "other": [*"uvw"] * 40}
    options = {"alpha": 1.0, "missing_as": "skip"}
    resolved = AODE(subsumption=10, **options).fit(columns, ill)
    row = {"sex": "f", "pregnant": "yes", "again": "f", "other": "u"}
    less = {"pregnant": "yes", "other": "u"}
    plain = AODE(**options).fit(columns, ill)
    same(resolved.predict_joint_log_proba(row), plain.predict_joint_log_proba(less))
    assert np.abs(plain.predict_log_proba(row) - resolved.predict_log_proba(row)).max() > 1e-3
    said = dict(
        zip(resolved.model_.parts, resolved.model_.contributions(resolved.schema_.encode_row(row))[0], strict=True)
    )
    assert not said["sex"].any()
    assert not said["again"].any()
    rare = AODE(subsumption=21, **options).fit(columns, ill).predict_joint_log_proba(row)
    same(rare, plain.predict_joint_log_proba({"sex": "f", "pregnant": "yes", "other": "u"}))
    with pytest.raises(ValueError, match="subsumption=-1 must be"):
        AODE(subsumption=-1).fit(columns, ill)


@given(problem=PROBLEMS)
def test_with_no_super_parent_left_aode_is_naive_bayes(problem):
    model, brute = both(Aode(1000.0), problem)
    expected = [[math.log(brute.prior(c)) + brute.naive(row, c) for c in brute.classes] for row in problem["asked"]]
    same(asked_of(model, problem["asked"]), expected)


@pytest.mark.parametrize("structure", [Tan(), Kdb(0), Kdb(1), Kdb(2), Kdb(5)], ids=repr)
@given(problem=PROBLEMS)
def test_one_network_with_missing_parents_summed_out(structure, problem):
    model, brute = both(structure, problem)
    parents = parents_of(model)
    same(asked_of(model, problem["asked"]), [brute.network(row, parents) for row in problem["asked"]])


@pytest.mark.parametrize("structure", [Spode("T"), Aode(), Aode(1.0, 2), Tan(), Kdb(2)], ids=repr)
@given(problem=PROBLEMS)
def test_a_row_with_nothing_observed_gets_the_prior(structure, problem):
    model, brute = both(structure, problem)
    for nothing in (None, "never"):
        same(asked_of(model, [dict.fromkeys(NAMES, nothing)])[0], [math.log(brute.prior(c)) for c in brute.classes])


def all_trees():
    """Every spanning tree of four columns."""
    for edges in combinations(list(combinations(NAMES, 2)), 3):
        reached = {"S"}
        for _ in range(3):
            reached |= {n for edge in edges if reached & set(edge) for n in edge}
        if len(reached) == 4:
            yield edges


@given(problem=PROBLEMS)
def test_tan_is_the_best_of_all_trees_from_the_most_telling_column(problem):
    model, brute = both(Tan(), problem)
    parents = parents_of(model)
    shared = {pair: pair_information(brute, *pair) for pair in combinations(NAMES, 2)}
    found = sum(shared[tuple(sorted((n, *above)))] for n, above in parents.items() if above)
    assert sum(map(len, parents.values())) == 3
    assert found == pytest.approx(max(sum(shared[e] for e in tree) for tree in all_trees()), abs=1e-12)
    (root,) = (n for n, above in parents.items() if not above)
    assert brute.information(root) == pytest.approx(max(brute.information(n) for n in NAMES), abs=1e-12)


def pair_information(brute, a, b):
    """I(A; B | C) over the rows in which both are known."""
    inside = [(row, label, w) for row, label, w in brute.rows if row[a] is not None and row[b] is not None]
    if not inside:
        return 0.0
    rows, labels, weights = (list(part) for part in zip(*inside, strict=True))
    return Enumeration(rows, labels, weights).information(a, b)


@pytest.mark.parametrize("k", [1, 2, 3])
@given(problem=PROBLEMS)
def test_kdb_takes_the_k_strongest_of_the_more_telling_columns(k, problem):
    model, brute = both(Kdb(k), problem)
    parents = parents_of(model)
    telling = {n: brute.information(n) for n in NAMES}
    for child, above in parents.items():
        assert all(telling[p] >= telling[child] - 1e-12 for p in above)
        shared = {n: pair_information(brute, *sorted((child, n))) for n in NAMES if n != child}
        allowed = [n for n in shared if telling[n] > telling[child] + 1e-12]
        assert len(above) >= min(k, len(allowed))
        strengths = [shared[p] for p in above]
        assert strengths == pytest.approx(sorted(strengths, reverse=True), abs=1e-12)
        if len(above) == k:
            assert all(shared[n] <= strengths[-1] + 1e-12 for n in allowed if n not in above)
    assert sorted(map(len, parents.values())) == sorted(min(i, k) for i in range(4))


@pytest.mark.parametrize(("estimator", "structure"), [(AODE, Aode()), (TAN, Tan()), (KDB, Kdb(2))])
def test_the_classifiers_are_their_structures(estimator, structure):
    draw = np.random.default_rng(5)
    rows = [dict(zip(NAMES, map(str, draw.integers(0, 3, 4)), strict=True)) for _ in range(80)]
    labels = [CLASSES[int(row["S"] == row["T"]) + int(draw.random() < 0.3)] for row in rows]
    for i in range(0, 80, 7):
        rows[i][NAMES[i % 4]] = None
    columns = {n: [row[n] for row in rows] for n in NAMES}
    clf = estimator(alpha=0.5, prior_alpha=2.0, missing_as="skip").fit(columns, labels)
    brute = Enumeration(rows, labels, alpha=0.5, prior_alpha=2.0, minimum=1.0)
    if structure == Aode():
        expected = [brute.averaged(row, [(n,) for n in NAMES]) for row in rows]
    else:
        expected = [brute.network(row, parents_of(clf.model_)) for row in rows]
    same(clf.predict_joint_log_proba(columns), expected)
    for row, answer in zip(rows[:9], expected, strict=False):
        same(clf.predict_joint_log_proba(row)[0], answer)


def rows_with_a_parent(seed, n=60):
    """T depends on U, and S and V on both: U is the column to know; labels with a bit of noise."""
    draw = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        u, t = draw.integers(0, 3), draw.integers(0, 2)
        rows.append({"S": str((u + t) % 3), "T": str(t), "U": str(u), "V": str((u * t + draw.integers(0, 2)) % 3)})
    labels = [CLASSES[(int(row["S"]) + (draw.random() < 0.2)) % 2] for row in rows]
    for i in range(0, n, 9):
        rows[i][NAMES[i % 4]] = None
    return rows, labels


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weighted", [False, True])
def test_spode_takes_the_parent_that_predicts_rows_left_out_best(seed, weighted):
    rows, labels = rows_with_a_parent(seed)
    columns = {n: [row[n] for row in rows] for n in NAMES}
    weights = [1.0, 0.5, 0.25] * 20 if weighted else None  # of a row that weighs more than 1, one copy would stay
    options = {"alpha": 0.5, "missing_as": "skip"}
    clf = SPODE(**options).fit(columns, labels, sample_weight=weights)
    losses = {}
    for parent in NAMES:
        total = 0.0
        for i, (row, label) in enumerate(zip(rows, labels, strict=True)):
            brute = Enumeration(rows, labels, weights, alpha=0.5)
            del brute.rows[i]
            said = brute.averaged(row, [(parent,)])
            total += (1.0 if weights is None else weights[i]) * (log_sum(said) - said[brute.classes.index(label)])
        losses[parent] = total
    assert clf.parent_ == min(losses, key=losses.get)
    given = SPODE(clf.parent_, **options).fit(columns, labels, sample_weight=weights)
    np.testing.assert_array_equal(clf.predict_joint_log_proba(columns), given.predict_joint_log_proba(columns))
    whole = Enumeration(rows, labels, weights, alpha=0.5)
    same(clf.predict_joint_log_proba(columns), [whole.averaged(row, [(clf.parent_,)]) for row in rows])


def test_spode_learns_forgets_merges_and_says_what_it_cannot():
    rows, labels = rows_with_a_parent(5)
    columns = {n: [row[n] for row in rows] for n in NAMES}

    def part(begin, end):
        return {n: x[begin:end] for n, x in columns.items()}, labels[begin:end]

    clf = SPODE().fit(columns, labels)
    options = {"parent": clf.parent_, "schema": clf.schema_, "alpha": 1.0}
    first, second = (SPODE(**options).fit(*part(*ends)) for ends in ((0, 30), (30, 60)))
    whole = SPODE(**options).fit(columns, labels)
    for other in (first + second, SPODE(**options).fit(*part(0, 30)).partial_fit(*part(30, 60))):
        same(other.predict_joint_log_proba(columns), whole.predict_joint_log_proba(columns))
    same(whole.forget(*part(30, 60)).predict_joint_log_proba(columns), first.predict_joint_log_proba(columns))
    elsewhere = SPODE("S" if clf.parent_ != "S" else "T", schema=clf.schema_, alpha=1.0).fit(columns, labels)
    with pytest.raises(ValueError, match=r"first\.blank"):
        first.merge(elsewhere)
    with pytest.raises(ValueError, match="parent='colour' is not a column with levels or bins: 'S', 'T', 'U', 'V'"):
        SPODE("colour").fit(columns, labels)
    numbers = np.random.default_rng(0).normal(size=(40, 2))
    assert SPODE(numeric="gaussian").fit(numbers, [0, 1] * 20).parent_ is None
    assert SPODE(1).fit(numbers, [0, 1] * 20).parent_ == "x1"


# Zhou Zhihua, 机器学习, 7.5 ---------------------------------------------------------------------------------------

DISCRETE = [name for name in WATERMELON[0] if name not in ("密度", "含糖率")]


def melons(**options):
    """AODE as the book has it: Laplace's 1 in the class and in every table, the discrete columns."""
    return AODE(alpha=1.0, prior_alpha=1.0, **options).fit(WATERMELON[0][DISCRETE], WATERMELON[1])


def network_of(clf, parent):
    scorer = clf.model_.scorer
    place = clf.model_.mixture.roots.index((parent,))
    return {scorer.stack.leaves[k].name: scorer.stack.log(k) for k in range(*scorer.ends[place : place + 2])}


def test_aode_of_the_watermelons_as_printed():
    """P(是, 浊响) = (6 + 1) / (17 + 3 x 2) = 0.304 and P(凹陷 | 是, 浊响) = (3 + 1) / (6 + 3) = 0.444."""
    clf = melons()
    yes, schema = clf.model_.classes.index("是"), clf.schema_
    sound, navel = (schema.columns[n].levels.index(x) + 1 for n, x in (("敲声", "浊响"), ("脐部", "凹陷")))
    tables = network_of(clf, "敲声")
    joint = math.exp(tables["敲声"][sound, yes] + clf.model_.log_prior()[yes])
    assert joint == pytest.approx(7 / 23, rel=1e-14)
    assert round(joint, 3) == 0.304
    below = math.exp(tables["脐部"][sound, navel, yes])
    assert below == pytest.approx(4 / 9, rel=1e-14)
    assert round(below, 3) == 0.444


def test_laplace_of_the_watermelons_as_printed():
    """P(是) = (8 + 1) / (17 + 2) = 0.474 and P(青绿 | 是) = (3 + 1) / (8 + 3) = 0.364, also within AODE."""
    clf = melons(minimum=100)  # no super-parent is frequent enough: naive Bayes
    yes = clf.model_.classes.index("是")
    assert math.exp(clf.model_.log_prior()[yes]) == pytest.approx(9 / 19, rel=1e-14)
    alone = clf.predict_joint_log_proba({"色泽": "青绿"})[0, yes]
    assert math.exp(alone) == pytest.approx(9 / 19 * 4 / 11, rel=1e-14)


def test_aode_of_a_watermelon_by_hand():
    """The mean over six super-parents of P(c, x_i) prod_j P(x_j | c, x_i), each from the printed formulas."""
    columns, labels = WATERMELON[0][DISCRETE], WATERMELON[1]
    rows, asked = columns.to_dict("records"), {n: MELON[n] for n in DISCRETE}
    expected = []
    for c in ("是", "否"):
        total = 0.0
        for i in DISCRETE:
            both_show = [r for r, y in zip(rows, labels, strict=True) if y == c and r[i] == asked[i]]
            p = (len(both_show) + 1) / (17 + 2 * columns[i].nunique())
            for j in set(DISCRETE) - {i}:
                n = sum(r[j] == asked[j] for r in both_show)
                p *= (n + 1) / (len(both_show) + columns[j].nunique())
            total += p / 6
        expected.append(math.log(total))
    clf = melons()
    found = clf.predict_joint_log_proba(asked)[0]
    same([found[clf.model_.classes.index(c)] for c in ("是", "否")], expected)
    assert clf.predict(asked).tolist() == ["是"]
