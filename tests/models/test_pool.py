"""A pool of models on one tally: what it says, its floor, its lines, and the group."""

from dataclasses import replace

import numpy as np
import pytest

import bayesfold as bf
from bayesfold.data.encodings import Categories
from bayesfold.data.frame import Frame
from bayesfold.data.schema import Schema
from bayesfold.families.categorical import Categorical
from bayesfold.families.m_estimate import MEstimate
from bayesfold.models.model import Model
from bayesfold.models.plan import cliques
from bayesfold.models.pool import FLOOR, Pool, add_doubt
from bayesfold.models.structures.aode import Aode
from bayesfold.models.structures.naive import Naive
from bayesfold.tally.counter import count

NAMES = ("a", "b", "c")
DRAW = np.random.default_rng(1)
TABLE = {n: DRAW.choice([*"uvw"], 40) for n in NAMES}
LABELS = np.where(TABLE["a"] == TABLE["b"], "p", DRAW.choice([*"qr"], 40))
WEIGHTS, BIAS = (0.7, 0.5), (("p", 0.2), ("q", -0.1), ("r", 0.0))


def pool_of(rows, weights=WEIGHTS, bias=BIAS, alpha=1.0):
    """Naive Bayes and AODE on one tally of some rows."""
    schema = Schema(Categories("y", ("p", "q", "r")), tuple(Categories(n, ("u", "v", "w")) for n in NAMES))
    known = {"y": Categorical(1.0)} | dict.fromkeys(NAMES, Categorical(alpha))
    deep = known | dict.fromkeys(NAMES, MEstimate())
    parts = {"naive": (Naive().learn(schema), known), "aode": (Aode().learn(schema), deep)}
    wanted = tuple(dict.fromkeys(c for m, f in parts.values() for c in cliques(schema, m, f)))
    tally = count(schema, wanted, batch_of(schema, rows))
    return Pool({name: Model(m, f, tally) for name, (m, f) in parts.items()}, weights, bias)


def batch_of(schema, rows):
    return schema.encode(Frame.of({n: TABLE[n][rows] for n in NAMES}), LABELS[rows])


EVERY = np.arange(40)
WHOLE = pool_of(EVERY)
BATCH = batch_of(WHOLE.schema, EVERY)


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)


def test_the_weighed_members_and_the_bias():
    said = [m.log_proba(BATCH) for m in WHOLE.members.values()]
    close(WHOLE.log_joint(BATCH), 0.7 * said[0] + 0.5 * said[1] + [0.2, -0.1, 0.0])
    close(np.exp(WHOLE.log_proba(BATCH)).sum(1), 1.0)
    close(WHOLE.log_proba(BATCH, logs=False), np.exp(WHOLE.log_proba(BATCH)))


def test_one_member_of_weight_1_is_that_member():
    alone = Pool({"naive": WHOLE.first}, (1.0,))
    close(alone.log_proba(BATCH), WHOLE.first.log_proba(BATCH))


def test_a_class_without_a_bias_has_none():
    plain = Pool(WHOLE.members, WEIGHTS)
    close(WHOLE.log_joint(BATCH) - plain.log_joint(BATCH), np.broadcast_to([0.2, -0.1, 0.0], (40, 3)))


def test_no_member_vetoes_a_class():
    """Maximum likelihood says zero; the pool listens to e^-30 and no less."""
    sure = pool_of(EVERY[:8], alpha=0.0)
    own = sure.members["naive"].log_proba(BATCH)
    assert own.min() < FLOOR
    assert sure.said(BATCH)[:, 0].min() == FLOOR
    close(sure.contributions(BATCH).sum(1), sure.log_joint(BATCH))
    floor = sure.contributions(BATCH)[:, sure.parts.index("cap on certainty")]
    lifted = (own < FLOOR).any(1)
    assert np.ptp(floor[lifted], axis=1).min() > 1.0
    np.testing.assert_allclose(np.ptp(floor[~lifted], axis=1), 0.0, atol=1e-9)


def test_doubt_keeps_the_order_of_what_is_below_it():
    said = add_doubt(np.array([-3.0, -5.0, -7.0, -9.0]), np.exp(-4.0))
    assert (np.diff(said) < 0).all()
    assert said[-1] > -4.0
    close(add_doubt(np.array([-0.01, -31.0]), 0.0), [-0.01, -30.0])


def test_doubt_stays_with_the_pool():
    low = replace(WHOLE, doubt=0.02)
    assert (low.log_proba(BATCH) != WHOLE.log_proba(BATCH)).any()
    kept = (low.twin(), low.blank(), low.trimmed(), low.without(BATCH.take(np.arange(3))), low + low.blank())
    assert [other.doubt for other in kept] == [0.02] * 5
    assert (low + WHOLE).doubt == pytest.approx(0.01)  # both have the same rows
    close(low.contributions(BATCH).sum(1), low.log_joint(BATCH))


def test_lines_of_members_are_joined_by_name():
    assert WHOLE.parts == ("prior", *NAMES, "averaging", "class offset", "cap on certainty")
    assert WHOLE.names == WHOLE.parts[1:]
    lines = WHOLE.contributions(BATCH)
    naive, aode = (m.contributions(BATCH) for m in WHOLE.members.values())
    close(lines[:, :4], 0.7 * naive[:, :4] + 0.5 * aode[:, :4])
    close(lines[:, 4], 0.5 * aode[:, 4])
    close(lines[:, -2], np.broadcast_to([0.2, -0.1, 0.0], (40, 3)))
    close(lines.sum(1), WHOLE.log_joint(BATCH))


def test_a_bare_row_gets_the_prior_in_every_way():
    bare = WHOLE.schema.encode(Frame.of({n: np.array([None, "never"], object) for n in NAMES}))
    prior = WHOLE.first.log_prior()
    close(WHOLE.log_joint(bare), np.tile(prior, (2, 1)))
    lines = WHOLE.contributions(bare)
    close(lines[:, 0], np.tile(prior, (2, 1)))
    close(lines[:, 1:], 0.0)
    close(WHOLE.row_log_joint({})[0], prior)


@pytest.mark.parametrize("row", [0, 7, 39])
def test_a_row_left_out_is_a_pool_without_it(row):
    rest = pool_of(np.delete(EVERY, row))
    one = np.array([row])
    close(WHOLE.log_proba(BATCH, leave_out=True)[row], rest.log_proba(batch_of(rest.schema, one))[0])
    close(WHOLE.without(BATCH.take(one)).log_joint(BATCH), rest.log_joint(BATCH))


def test_learning_forgetting_and_merging_are_those_of_the_tally():
    first, second = pool_of(EVERY[:25]), pool_of(EVERY[25:])
    close((first + second).log_joint(BATCH), WHOLE.log_joint(BATCH))
    first.learn(batch_of(first.schema, EVERY[25:]), first.schema)
    close(first.log_joint(BATCH), WHOLE.log_joint(BATCH))
    first.forget(batch_of(first.schema, EVERY[:25]))
    close(first.log_joint(BATCH), second.log_joint(BATCH))
    assert all(m.tally is first.tally for m in first.members.values())


def test_one_dict_row_is_learned_by_every_member():
    pool, table = pool_of(EVERY[:39]), pool_of(EVERY)
    pool = pool.learn_row({n: TABLE[n][39].item() for n in NAMES}, LABELS[39].item())
    close(pool.log_joint(BATCH), table.log_joint(BATCH))


def test_decay_reaches_every_member():
    pool = pool_of(EVERY)
    pool.decay(0.5)
    for member in pool.members.values():
        assert member.class_weights().sum() == 20
        assert member.decayed


def test_weights_and_bias_of_a_sum_are_means_by_rows():
    """Ten rows against thirty."""
    first, second = pool_of(EVERY[:10], (1.0, 0.0)), pool_of(EVERY[10:], (0.2, 0.8), (("p", 1.0),))
    both = first + second
    assert both.weights == pytest.approx((0.25 * 1.0 + 0.75 * 0.2, 0.75 * 0.8))
    assert dict(both.bias) == pytest.approx({"p": 0.25 * 0.2 + 0.75, "q": 0.25 * -0.1, "r": 0.0})
    assert dict((second + first).bias) == pytest.approx(dict(both.bias))
    assert (second + first).weights == pytest.approx(both.weights)


def test_pools_of_other_members_do_not_merge():
    with pytest.raises(ValueError, match="different members"):
        WHOLE + Pool({"naive": WHOLE.first}, (1.0,))


def test_rows_are_not_drawn_from_a_pool():
    with pytest.raises(ValueError, match="structure='naive'"):
        WHOLE.sample(3, np.random.default_rng(0))


def test_class_probabilities_that_were_given_are_in_the_line_of_the_prior():
    draw = np.random.default_rng(3)
    y = draw.integers(0, 2, 80)
    X = {"a": y + draw.normal(size=80), "b": draw.choice(["u", "v"], 80).tolist()}
    plain, given = (bf.BayesClassifier(priors=p).fit(X, y).model_ for p in (None, [0.9, 0.1]))
    batch = plain.schema.encode(Frame.of({"a": [0.4, 0.6, None], "b": ["u", "v", None]}))
    before, after = plain.contributions(batch), given.contributions(batch)
    for model, lines in ((plain, before), (given, after)):
        np.testing.assert_allclose(lines.sum(1), model.log_joint(batch), atol=1e-9)
    moved = (after - before)[:, 0]
    odds = np.log(0.9 / 0.1) - np.log((y == 0).sum() / (y == 1).sum())
    np.testing.assert_allclose(moved[:, 0] - moved[:, 1], odds, atol=0.05)
    np.testing.assert_allclose((after - before)[:, 1:-1], 0.0, atol=1e-9)
    np.testing.assert_allclose(np.ptp((after - before)[:, -1], axis=1), 0.0, atol=0.05)


def test_a_member_without_weight_is_not_asked():
    pool = pool_of(np.arange(40), (0.0, 0.7))
    batch = batch_of(pool.schema, np.arange(40))
    expected = 0.7 * pool.said(batch)[:, 1] + pool.bias_of()
    pool.members["naive"].log_proba = None
    np.testing.assert_allclose(pool.log_joint(batch), expected, rtol=1e-15)
    silent = pool_of(np.arange(40), (0.0, 0.0))
    assert silent.log_joint(batch).tolist() == [[*silent.bias_of()]] * 40
