"""Something to draw for each picture, and how to look into a figure."""

import numpy as np
import pandas as pd

import bayesfold as bf
from bayesfold.plots._figure import as_plotly

DRAW = np.random.default_rng(0)
CLASSES = np.array(["home", "intensive", "ward"])
TRUTH = DRAW.integers(0, 3, 150)
Y = CLASSES[TRUTH]
X = pd.DataFrame(
    {
        "heat": DRAW.normal(TRUTH, 1.5),
        "sex": np.where(DRAW.random(150) < 0.4, Y, DRAW.choice(["m", "f"], 150)),
        "dose": DRAW.poisson(2 + 2 * TRUTH),
    }
)
TWO = np.where(TRUTH == 1, "ill", "well")
LOSS = np.array([[0, 9, 4], [2, 0, 1], [1, 3, 0.0]])
THREE = bf.evaluate(bf.NaiveBayes(loss=LOSS, reject_cost=0.6), X, Y, folds=5)
PAIR = bf.evaluate(bf.NaiveBayes(loss=[[0, 1], [8, 0]]), X, TWO, folds=5)
CLF = bf.NaiveBayes(families={"dose": "poisson"}).fit(X, Y)
LEARNED = bf.learn_network(pd.DataFrame({"sex": X["sex"], "dose": X["dose"] > 3, "place": Y}), bootstrap=20)
SOURCES = {
    "arc_strengths": (LEARNED,),
    "calibration": (THREE,),
    "confusion": (THREE,),
    "cost_curve": (PAIR,),
    "densities": (CLF,),
    "learning_curve": (bf.NaiveBayes(), X, Y),
    "network": (bf.TAN().fit(X, Y),),
    "nomogram": (CLF,),
    "precision_recall": (THREE,),
    "roc": (THREE,),
    "search_path": (LEARNED,),
    "two_networks": (LEARNED, bf.BayesianNetwork.from_edges([("place", "sex")], ["sex", "dose", "place"])),
    "waterfall": (CLF.explain(X)[0],),
}


def proba(evaluation):
    """The held-out probabilities of the only model."""
    return evaluation.proba["NaiveBayes"][0]


def drawn(picture, numbers):
    """The figure of these numbers, its every key checked by plotly."""
    return as_plotly(picture.draw(numbers))


def traces(figure, name=None):
    """The traces of a figure, or those whose name begins so."""
    return [t for t in figure.data if name is None or (t.name or "").startswith(name)]
