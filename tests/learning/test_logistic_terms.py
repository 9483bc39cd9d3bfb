"""Words weighed together, against scikit-learn's logistic regression."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

import bayesfold as bf
from bayesfold.learning.logistic_terms import scales, solved


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("ridge", [0.5, 4.0])
def test_weights_are_those_of_logistic_regression(classes, ridge):
    draw = np.random.default_rng(classes)
    x, own = draw.poisson(0.7, (90, 6)).astype(float), np.arange(90) % classes
    x[:, 0] += own
    weight = draw.uniform(0.5, 2.0, 90)
    beta = solved(csr_array(x), own.astype(np.intp), weight, classes, ridge)
    assert beta.shape == (7, classes)
    peer = LogisticRegression(C=1 / ridge, tol=1e-8, max_iter=5_000).fit(x, own, weight)
    joint = x @ beta[:-1] + beta[-1]
    p = np.exp(joint - joint.max(1, keepdims=True))
    np.testing.assert_allclose(p / p.sum(1, keepdims=True), peer.predict_proba(x), atol=2e-5)


def test_a_term_is_scaled_by_how_far_it_tells_classes_apart():
    logs = np.log(np.random.default_rng(0).dirichlet(np.ones(4), 5))
    pairs = [(logs[:, a] - logs[:, b]) ** 2 for a in range(4) for b in range(a)]
    np.testing.assert_allclose(scales(logs), np.sqrt(np.mean(pairs, axis=0)))
    assert scales(np.log([[0.5], [0.2]])).tolist() == [0.0, 0.0], "of one class nothing is told apart"
    np.testing.assert_allclose(scales(np.log([[0.5, 0.25]])), [np.log(2)])


def test_a_text_classifier_answers_by_these_weights():
    words = {"p": "win prize money now", "q": "lunch meeting report now", "r": "ball goal team now"}
    draw = np.random.default_rng(1)
    labels = [*"pqr"] * 20
    texts = [" ".join(draw.choice(words[k].split(), 4)) + (" team" if i % 7 == 0 else "") for i, k in enumerate(labels)]
    clf = bf.TextClassifier(model="nb_lr", ridge=2.0).fit(texts, labels)
    assert clf.score(texts, labels) > 0.9
    model = clf.model_
    form = next(f for f in model.flat.forms if getattr(f, "weights", None) is not None)
    logs = clf.predict_log_proba(["goal team", "win money"])
    assert np.isfinite(form.weights).all()
    assert clf.classes_[logs.argmax(1)].tolist() == ["r", "p"]
    apart = (
        bf.TextClassifier(model="nb_lr", ridge=200.0).fit(texts, labels).predict_log_proba(["goal team", "win money"])
    )
    assert (apart.max(1) < logs.max(1)).all(), "a stronger ridge is less sure"
