"""The scenes of the tour: prose, and lines of code that are run as they stand. What they print is not written down."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scene:
    """A title, and a text in which lines behind `>>>` are run."""

    title: str
    text: str


SCENES = (
    Scene(
        "A real table, no settings",
        """
Breast cancer: 569 women, 30 measurements. The recommended model beside logistic regression and gradient boosting, on
the same five folds, with everything learned anew for each: no model has seen the rows that judge it.

>>> import bayesfold as bf, numpy as np
>>> from sklearn.datasets import load_breast_cancer
>>> from sklearn.ensemble import HistGradientBoostingClassifier
>>> from sklearn.linear_model import LogisticRegression
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.preprocessing import StandardScaler
>>> data = load_breast_cancer()
>>> X, y = data.data, data.target_names[data.target]
>>> rivals = {
...     "BayesClassifier": bf.BayesClassifier(),
...     "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
...     "boosting": HistGradientBoostingClassifier(learning_rate=0.05),
... }
>>> bf.evaluate(rivals, X, y, folds=5, how="refit")

What `bayesfold fit` prints of the recommended model are the same measures by its own folds, on which it weighs its
parts; `bayesfold evaluate --leave-out` prints those again, to the last digit.
""",
    ),
    Scene(
        "Text, numbers and holes: an answer, its reasons, and what it costs to be wrong",
        """
People in an emergency department (invented): where should each go? One cell in sixteen is missing.

>>> from bayesfold.demo.triage import triage
>>> X, y = triage(2400)
>>> clf = bf.NaiveBayes().fit(X, y)
>>> person = {"age": 71, "pulse": 104, "oxygen": 93.0, "awake": "confused", "arrival": "by ambulance"}
>>> clf.explain(person)[0]

Every line is a sum of logarithms, and the sum is the answer: P = 1 / (1 + e^-sum) between the two.

>>> dict(zip(clf.classes_.tolist(), clf.predict_proba(person)[0].round(3).tolist()))

The most probable place is not the cheapest decision. loss[decision][truth], in hours of work:

>>> loss = {"home": {"ward": 6, "intensive care": 60}, "ward": {"home": 2, "intensive care": 15},
...         "intensive care": {"home": 8, "ward": 4}}
>>> clf.predict(person).tolist(), clf.set_params(loss=loss).predict(person).tolist()
""",
    ),
    Scene(
        "A fold: what adds can be taken away",
        """
Parcels (invented), 11 columns of text and numbers, 5 % of the cells missing. What the model has learned, forgotten or
been merged from is compared with a fresh fit of the rows that it should know.

>>> from bayesfold.demo.parcels import parcels
>>> X, y = parcels(rows)
>>> tenth, half = rows // 10, rows // 2
>>> clf = bf.NaiveBayes().fit(X[tenth:], y[tenth:])
>>> def fresh(X, y):
...     return bf.NaiveBayes(schema=clf.schema_).fit(X, y)
>>> def equal(a, b):
...     return bool(abs(a.predict_log_proba(X[:20_000]) - b.predict_log_proba(X[:20_000])).max() < 1e-9)
>>> clf = clf.partial_fit(X[:tenth], y[:tenth])
>>> equal(clf, fresh(X, y))
>>> clf = clf.forget(X[-tenth:], y[-tenth:])
>>> equal(clf, fresh(X[:-tenth], y[:-tenth]))
>>> both = fresh(X[:half], y[:half]) + fresh(X[half:], y[half:])
>>> equal(both, fresh(X, y))

Rows may also come one at a time, as dicts, some 20 microseconds each; and go again.

>>> row = X[:1].to_pylist()[0]
>>> clf = clf.partial_fit(row, y[0]).forget(row, y[0])
>>> equal(clf, fresh(X[:-tenth], y[:-tenth]))
""",
    ),
    Scene(
        "A message, and what its words say",
        """
>>> ham = ["lunch at noon?", "the report is late again", "see you at the meeting", "ten at the office, as always",
...        "thanks for the notes", "can you send the report by ten", "call me at lunch", "happy birthday to you"]
>>> spam = ["WIN a free prize now", "claim your free money", "you have won a prize, call now", "free entry, win cash",
...         "cheap pills now", "your prize is waiting: claim it", "win money from home", "call now and win"]
>>> texts = bf.TextClassifier(model="multinomial", alpha=1.0, weights=None)
>>> texts = texts.fit(ham + spam, ["ham"] * len(ham) + ["spam"] * len(spam))
>>> texts.explain(["win a free lunch"])[0]
""",
    ),
    Scene(
        "A Bayesian network: ask it, and ask why",
        """
>>> net = bf.read_network("smoking")
>>> print(net.factorization())
>>> print(net.query("cancer | xray=abnormal, dyspnoea=yes"))
>>> print(net.explain_separation("cancer", "bronchitis", given=["smoking"]))

Seeing dyspnoea opens the way between its causes: one explains the other away.

>>> print(net.explain_separation("cancer", "bronchitis", given=["smoking", "dyspnoea"]))
""",
    ),
)
