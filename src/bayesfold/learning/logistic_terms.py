"""Words weighed together: logistic regression of terms, each scaled by how far naive Bayes says it tells classes apart.

log P(y | x) = b_y + sum_j x_j r_j beta_jy - log Z. r_j is the root mean square, over pairs of classes, of the
difference of what naive Bayes adds for the term: of two classes that is the size of the log-count ratio of Wang &
Manning (2012, "Baselines and bigrams"; its sign is beta's to choose). beta has a ridge as in scikit-learn's
LogisticRegression with C = 1 / ridge; b has none.

>>> scales(np.log([[0.5, 0.1], [0.2, 0.2], [0.3, 0.7]])).round(3)
array([1.609, 0.   , 0.847])
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesfold.data.batch import Batch
from bayesfold.data.frame import Floats
from bayesfold.models.model import Model
from bayesfold.runtime.threads import one_at_a_time

MOST_STEPS = 1_000
ENOUGH = 1e-4
"""The largest slope of the loss, in rows, at which it is taken to be at its bottom."""


def scales(logs: Floats) -> Floats:
    """r_j of [term, class]."""
    apart = logs - logs.mean(1, keepdims=True)
    return np.asarray(np.sqrt(2.0 * (apart**2).sum(1) / max(logs.shape[1] - 1, 1)))


def regressed(model: Model, batch: Batch, name: str, ridge: float) -> Model:
    """The model with the words of one text weighed together; what it adds to the prior makes their sum b."""
    from scipy.sparse import csr_array  # the command starts without scipy

    assert batch.labels is not None
    form = next(f for g, f in zip(model.flat.groups, model.flat.forms, strict=True) if name in g.names)
    scale = scales(form.weights[:, 1:])
    kept = np.flatnonzero(scale > 0)
    rows = batch.column(name)
    x = csr_array((rows.data * scale[rows.columns], rows.columns, rows.starts), shape=rows.shape)[:, kept]
    found = solved(x, batch.labels.astype(np.intp) - 1, batch.weights, len(model.classes), ridge)
    slopes = np.zeros((len(scale) + 1, len(model.classes)))
    slopes[kept] = found[:-1] * scale[kept, None]
    slopes[-1] = found[-1] - (model.log_prior() - model.shift())
    families = {**model.families, name: replace(model.families[name], slopes=slopes)}
    return Model(model.mixture, families, model.tally, model.prior, model.class_weight, model.calibration)


@one_at_a_time
def solved(x: Any, own: NDArray[np.intp], weight: Floats, classes: int, ridge: float) -> Floats:
    """beta and, in the last row, b: the least of sum_i w_i loss_i + ridge / 2 |beta|^2."""
    from scipy.optimize import minimize

    rows, width = np.arange(len(own)), x.shape[1]
    across = x.T.tocsr()
    ridge *= 2.0 if classes == 2 else 1.0  # two opposite vectors share what one would bear alone

    def loss(flat: Floats) -> tuple[float, Floats]:
        beta = flat.reshape(width + 1, classes)
        joint = x @ beta[:-1] + beta[-1]
        joint -= joint.max(1, keepdims=True)
        p = np.exp(joint)
        total = p.sum(1, keepdims=True)
        off = p / total
        off[rows, own] -= 1.0
        off *= weight[:, None]
        value = weight @ (np.log(total[:, 0]) - joint[rows, own]) + 0.5 * ridge * (beta[:-1] ** 2).sum()
        slope = np.vstack([across @ off + ridge * beta[:-1], off.sum(0)])
        return float(value), slope.ravel()

    options: Any = {"maxiter": MOST_STEPS, "gtol": ENOUGH, "ftol": 0.0, "maxcor": 10}
    found = minimize(loss, np.zeros((width + 1) * classes), jac=True, method="L-BFGS-B", options=options)
    beta: Floats = found.x.reshape(width + 1, classes)
    return beta
