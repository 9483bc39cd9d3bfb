"""What networks say together, against sums of probabilities written out."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayesfold.models.scoring import averaging as average


def case(seed):
    """Logs of three networks, which of them have a say, weights, and what naive Bayes says."""
    draw = np.random.default_rng(seed)
    said, heard = np.log(draw.uniform(0.01, 1.0, (3, 5, 2))), draw.random((3, 5)) < 0.6
    weights = draw.uniform(0.1, 1.0, 3)
    return said, heard, weights / weights.sum(), np.log(draw.uniform(0.01, 1.0, (5, 2)))


@given(st.integers(0, 2**32 - 1))
def test_a_mean_is_of_those_that_have_a_say(seed):
    said, heard, weights, naive = case(seed)
    found = average.average_networks(said, heard, weights, lambda: naive)
    for row in range(5):
        share = weights * heard[:, row]
        expected = np.log(share @ np.exp(said[:, row]) / share.sum()) if share.sum() else naive[row]
        np.testing.assert_allclose(found[row], expected, rtol=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_in_a_product_the_silent_speak_as_the_mean_of_the_others(seed):
    said, heard, weights, naive = case(seed)
    found = average.multiply_networks(said, heard, weights, lambda: naive)
    for row in range(5):
        own = heard[:, row]
        mean = said[own, row].mean(0) if own.any() else naive[row]
        expected = weights @ np.where(own[:, None], said[:, row], mean)
        np.testing.assert_allclose(found[row], expected, rtol=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_credits_give_the_answer_back(seed):
    said, heard, weights, naive = case(seed)
    heard[0] = True
    product = (average.credit_of_product(heard, weights)[:, :, None] * said).sum(0)
    np.testing.assert_allclose(product, average.multiply_networks(said, heard, weights, lambda: naive), rtol=1e-12)
    credit = average.credit_of_mean(said, heard, weights)
    np.testing.assert_allclose(credit.sum(0), 1.0)
    assert not credit[~heard].any()
