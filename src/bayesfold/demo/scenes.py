"""The scenes of the tour: prose, and lines of code that are run as they stand. What they print is not written down."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scene:
    """A title, and a text in which lines behind `>>>` are run."""

    title: str
    text: str


SCENES = (
    Scene(
        "A real table, default parameters",
        """
Breast cancer: 569 women, 30 measurements. The recommended model beside logistic regression and
gradient boosting, by five-fold cross-validation on the same folds; every fold repeats the whole fit.

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

Accuracy is the share of correct predictions; log-loss and the Brier score judge the probabilities;
AUC judges their order; ECE is the calibration error. Higher is better for accuracy and AUC, lower
for the others. A difference whose interval excludes 0 is unlikely to be chance.
""",
    ),
    Scene(
        "Text, numbers and missing values: a prediction, its explanation, and the cost of being wrong",
        """
Generated patients of an emergency department: where should each go? One cell in sixteen is missing.

>>> from bayesfold.demo.triage import triage
>>> X, y = triage(2400)
>>> clf = bf.NaiveBayes().fit(X, y)
>>> person = {"age": 71, "pulse": 104, "oxygen": 93.0, "awake": "confused",
...           "arrival": "by ambulance"}
>>> clf.explain(person)[0]

Each line is what the prior or one column adds to the log-odds of the two most probable classes:
+0.69 doubles the odds. Between these two, P = 1 / (1 + e^-sum). Of all classes:

>>> dict(zip(clf.classes_.tolist(), clf.predict_proba(person)[0].round(3).tolist()))

The most probable place is not the cheapest decision. Say what each mistake costs, in hours of work,
as loss[decision][truth], and the expected cost of every decision follows:

>>> loss = {"home": {"ward": 6, "intensive care": 60},
...         "ward": {"home": 2, "intensive care": 15},
...         "intensive care": {"home": 8, "ward": 4}}
>>> risk = bf.conditional_risk(clf.predict_proba(person), loss, classes=clf.classes_)
>>> dict(zip(clf.classes_.tolist(), risk[0].round(1).tolist()))
>>> clf.predict(person).tolist(), clf.set_params(loss=loss).predict(person).tolist()

And what would change that decision?

>>> clf.what_would_change(person, fixed=["age", "arrival"])
""",
    ),
    Scene(
        "Learn more, forget, merge: exactly",
        """
Generated parcels: columns of text and numbers, 5 % of the cells missing. After learning more,
forgetting and merging, the model is compared with a fresh fit of the rows that it then stands for.

>>> from bayesfold.demo.parcels import parcels
>>> X, y = parcels(rows)
>>> X.num_rows, X.num_columns
>>> tenth, half = rows // 10, rows // 2
>>> clf = bf.NaiveBayes().fit(X[tenth:], y[tenth:])
>>> def fresh(X, y):
...     return bf.NaiveBayes(schema=clf.schema_).fit(X, y)
>>> def equal(a, b):
...     few = X[:20_000]
...     return bool(abs(a.predict_log_proba(few) - b.predict_log_proba(few)).max() < 1e-9)
>>> clf = clf.partial_fit(X[:tenth], y[:tenth])
>>> equal(clf, fresh(X, y))
>>> clf = clf.forget(X[-tenth:], y[-tenth:])
>>> equal(clf, fresh(X[:-tenth], y[:-tenth]))
>>> both = fresh(X[:half], y[:half]) + fresh(X[half:], y[half:])
>>> equal(both, fresh(X, y))

Rows can also be learned and forgotten one at a time, as dicts, in some 20 microseconds each.

>>> row = X[:1].to_pylist()[0]
>>> clf = clf.partial_fit(row, y[0]).forget(row, y[0])
>>> equal(clf, fresh(X[:-tenth], y[:-tenth]))
""",
    ),
    Scene(
        "A spam filter that explains itself",
        """
Sixteen messages, and multinomial naive Bayes of their words. Each word adds to the log-odds.

>>> ham = ["lunch at noon?", "the report is late again", "see you at the meeting",
...        "ten at the office, as always", "thanks for the notes", "call me at lunch",
...        "can you send the report by ten", "happy birthday to you"]
>>> spam = ["WIN a free prize now", "claim your free money", "you have won a prize, call now",
...         "free entry, win cash", "cheap pills now", "your prize is waiting: claim it",
...         "win money from home", "call now and win"]
>>> texts = bf.TextClassifier(model="multinomial", alpha=1.0, weights=None)
>>> texts = texts.fit(ham + spam, ["ham"] * len(ham) + ["spam"] * len(spam))
>>> texts.explain(["win a free lunch"])[0]
""",
    ),
    Scene(
        "A Bayesian network: query it, and explain independence",
        """
Smoking, its consequences, and what a doctor sees (invented numbers). Queries are exact.

>>> net = bf.read_network("smoking")
>>> print(net.factorization())
>>> print(net.query("cancer | xray=abnormal, dyspnoea=yes"))
>>> print(net.explain_separation("cancer", "bronchitis", given=["smoking"]))

Observing dyspnoea opens the path between its causes: now one explains the other away.

>>> print(net.explain_separation("cancer", "bronchitis", given=["smoking", "dyspnoea"]))
""",
    ),
)
