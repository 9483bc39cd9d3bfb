"""Learn, forget and merge exactly: handwritten digits arrive in batches, some are taken back, two machines add up."""

import numpy as np
from sklearn.datasets import load_digits

from bayesfold import MultinomialNB

X, y = load_digits(return_X_y=True)
first, second, new = slice(0, 900), slice(900, 1500), slice(1500, None)


def same(a, b):
    """Whether two models predict the same."""
    return bool(np.allclose(a.predict_log_proba(X[new]), b.predict_log_proba(X[new]), rtol=0, atol=1e-9))


at_once = MultinomialNB().fit(X[:1500], y[:1500])
in_batches = MultinomialNB()
for start in range(0, 1500, 100):
    in_batches.partial_fit(X[start : start + 100], y[start : start + 100], classes=range(10))
print(f"{at_once.score(X[new], y[new]):.1%} of {len(X[new])} new digits are predicted correctly")
print("fifteen batches equal one fit:", same(in_batches, at_once))

in_batches.forget(X[second], y[second])
print(
    "without the second part it equals a fit of the first:", same(in_batches, MultinomialNB().fit(X[first], y[first]))
)

here, there = MultinomialNB().fit(X[first], y[first]), MultinomialNB().fit(X[second], y[second])
print("two machines merged equal one:", same(here + there, at_once))

held_out = at_once.leave_one_out(X[:1500], y[:1500]).argmax(axis=1)
print(f"each digit scored by the model of all the others: {(held_out == y[:1500]).mean():.1%} correct")
