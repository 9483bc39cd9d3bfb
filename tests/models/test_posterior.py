"""From log joints to posteriors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.models.posterior import log_posterior, most_probable, shift_prior

JOINTS = st.lists(st.lists(st.floats(-1e4, 1e4), min_size=3, max_size=3), min_size=1, max_size=5).map(np.array)


@given(joint=JOINTS)
def test_each_row_is_normalised(joint):
    logs, plain = log_posterior(joint), log_posterior(joint, logs=False)
    np.testing.assert_allclose(np.exp(logs).sum(1), 1.0, rtol=1e-9)
    np.testing.assert_allclose(plain.sum(1), 1.0, rtol=1e-9)
    np.testing.assert_allclose(np.exp(logs), plain, rtol=1e-9, atol=1e-300)


@given(joint=JOINTS, lift=st.floats(-1e3, 1e3))
def test_a_common_factor_does_not_matter(joint, lift):
    np.testing.assert_allclose(log_posterior(joint + lift), log_posterior(joint), rtol=1e-9, atol=1e-9)


def test_the_joint_is_left_alone_unless_an_array_is_given_for_the_answer():
    joint = np.log([[1.0, 3.0]])
    kept = joint.copy()
    answer = log_posterior(joint)
    np.testing.assert_array_equal(joint, kept)
    assert log_posterior(joint, out=joint) is joint
    np.testing.assert_array_equal(joint, answer)


@pytest.mark.parametrize("height", [-1e17, -1e290, 1e290])
def test_equal_joints_share_the_probability_however_small_they_are(height):
    np.testing.assert_allclose(np.exp(log_posterior(np.full((2, 4), height))), 0.25, rtol=1e-12)


def test_one_class_is_certain():
    np.testing.assert_array_equal(log_posterior(np.array([[-5.0], [7.0]])), [[0.0], [0.0]])


def test_many_rows_are_each_normalised_by_themselves():
    joint = np.random.default_rng(0).normal(0, 50, (70_000, 3))
    expected = joint - joint.max(1, keepdims=True)
    expected -= np.log(np.exp(expected).sum(1, keepdims=True))
    np.testing.assert_allclose(log_posterior(joint), expected, rtol=1e-9, atol=1e-9)


@given(joint=JOINTS, old=st.lists(st.integers(1, 9), min_size=3, max_size=3))
def test_shifting_to_the_same_frequencies_changes_nothing(joint, old):
    prior = np.log(np.array(old) / sum(old))
    np.testing.assert_allclose(shift_prior(log_posterior(joint), prior, prior), log_posterior(joint), atol=1e-9)


@given(likelihood=JOINTS, old=st.lists(st.integers(1, 9), min_size=3, max_size=3), new=st.permutations([0.0, 0.3, 0.7]))
def test_shifting_is_bayes_rule_with_the_other_prior(likelihood, old, new):
    likelihood = likelihood / 100
    with np.errstate(divide="ignore"):
        before, after = np.log(np.array(old) / sum(old)), np.log(new)
    shifted = shift_prior(log_posterior(likelihood + before), before, after, logs=False)
    joint = np.exp(likelihood - likelihood.max(1, keepdims=True)) * new
    np.testing.assert_allclose(shifted, joint / joint.sum(1, keepdims=True), atol=1e-9)


def test_whoever_decides_from_joints_decides_as_from_posteriors():
    """Also of classes that tie but for the last bit, which a posterior does not always show."""
    draw = np.random.default_rng(0)
    for classes in (1, 2, 3, 5):
        joint = np.repeat(draw.normal(-2, 2, (4_000, 1)), classes, axis=1)
        joint = np.where(draw.random(joint.shape) < 0.5, np.nextafter(joint, 0), joint)
        joint[::7, 0] -= 1.0
        joint[::11, -1] = -np.inf
        joint[:, 0] = np.maximum(joint[:, 0], -1e300)
        assert (most_probable(joint) == log_posterior(joint).argmax(axis=1)).all()
    assert (log_posterior(joint).argmax(axis=1) != joint.argmax(axis=1)).any()
