"""Log-loss and the best exponent: the compiled loops against their own source, and against the general weigher."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernels.reference import assert_same

from bayesfold.learning.weights import log_loss, log_normal, pool, temperature


def case(seed, rows, classes, weighted):
    """Logits that are somewhat right, the true classes, and weights."""
    draw = np.random.default_rng(seed)
    own = draw.integers(0, classes, rows)
    logits = draw.normal(0, 3, (rows, classes)) + 2 * np.eye(classes)[own]
    return logits, own, draw.uniform(0.1, 4.0, rows if weighted else 0)


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 20), classes=st.integers(1, 5), weighted=st.booleans())
def test_as_in_the_source(seed, rows, classes, weighted):
    arguments = case(seed, rows, classes, weighted)
    loss = assert_same("softmax", "log_loss", *arguments)[-1]
    assert_same("softmax", "temperature", *arguments, np.zeros((2, 3)))
    logits, own, weight = arguments
    expected = -log_normal(logits)[np.arange(rows), own] @ (weight if weighted else np.ones(rows))
    np.testing.assert_allclose(loss, expected, rtol=1e-12, atol=1e-12)


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 9), classes=st.integers(1, 4), weighted=st.booleans())
def test_losses_of_several_parts_as_in_the_source_and_one_by_one(seed, rows, classes, weighted):
    logits, own, weight = case(seed, rows, classes, weighted)
    draw = np.random.default_rng(seed)
    parts, prior = np.stack([logits, draw.normal(0, 2, logits.shape)]), draw.normal(0, 1, classes)
    *_, losses, _ = assert_same("softmax", "log_losses", parts, prior, own, weight, np.zeros(2))
    alone = [assert_same("softmax", "log_loss", prior + part, own, weight)[-1] for part in parts]
    np.testing.assert_allclose(losses, alone, rtol=1e-12, atol=1e-12)


@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 9), classes=st.integers(1, 4))
def test_the_variance_of_a_difference_as_in_the_source(seed, rows, classes):
    new, own, _ = case(seed, rows, classes, False)
    old, share = case(seed + 1, rows, classes, False)[0], np.full(rows, 1 / rows)
    found = assert_same("softmax", "variance_of_difference", new, old, own, share, share**2, np.zeros(rows))[-1]
    apart = (log_normal(new) - log_normal(old))[np.arange(rows), own]
    np.testing.assert_allclose(found, apart.var() / rows, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("scale", [0.01, 1.0, 40.0, -1.0])
@given(seed=st.integers(0, 2**32 - 1), rows=st.integers(1, 40), weighted=st.booleans())
def test_the_exponent_is_that_of_the_general_problem(scale, seed, rows, weighted):
    logits, own, weight = case(seed, rows, 3, weighted)
    given = weight if weighted else None
    found = temperature(scale * logits, own, given)
    general = pool(scale * logits[:, None], own, given, bias_ridge=np.inf, nonnegative=True, asked=0).weights[0]
    losses = [log_loss(w * scale * logits, own, np.ones(rows) if given is None else given) for w in (found, general)]
    np.testing.assert_allclose(*losses, rtol=1e-6)
    np.testing.assert_allclose(found, general, rtol=1e-3, atol=1e-6)
