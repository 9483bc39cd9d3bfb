"""Where a model stands among its peers: its mean rank over sets, and how often it wins, draws and loses.

>>> peers = pd.DataFrame({"dataset": ["a", "b"] * 2, "method": ["p"] * 2 + ["q"] * 2,
...                       "acc": [0.8, 0.9, 0.7, 0.9], "nll": [0.4, 0.3, 0.6, 0.2]})
>>> ours = pd.DataFrame({"acc": [0.75, 0.9], "nll": [0.5, 0.1]}, index=["a", "b"])
>>> {measure: float(rank) for measure, rank in mean_ranks(ours, peers).items()}     # 1 is the best of three
{'acc': 2.0, 'nll': 1.5}
>>> against(ours, peers).loc["p", ["accuracy w/d/l", "log-loss w/d/l"]].tolist()
['0/1/1', '1/0/1']
"""

import numpy as np
import pandas as pd

DRAW = 0.001  # two results that differ by less are a draw, in accuracy and in log-loss
NEAR = 0.005  # a log-loss at most so much above a peer's is within reach of it


def results(peers: pd.DataFrame, measure: str) -> pd.DataFrame:
    """A row a set, a column a method."""
    return peers.pivot_table(index="dataset", columns="method", values=measure)


def mean_ranks(ours: pd.DataFrame, peers: pd.DataFrame) -> dict[str, float]:
    """The model's mean rank among the methods that have a result on every set; equal results share their ranks."""
    found = {}
    for measure, ascending in (("acc", False), ("nll", True)):
        known = results(peers, measure).reindex(ours.index).dropna(axis="columns")
        ranks = known.assign(**{"": ours[measure]}).rank(axis="columns", ascending=ascending)
        found[measure] = ranks[""].mean()
    return found


def ranked(ours: pd.DataFrame, peers: pd.DataFrame) -> int:
    """Among how many `mean_ranks` ranks, the model included."""
    return results(peers, "nll").reindex(ours.index).dropna(axis="columns").shape[1] + 1


def against(ours: pd.DataFrame, peers: pd.DataFrame) -> pd.DataFrame:
    """A line for each peer, the strongest first: its means on the sets it has, and the model's wins over it."""
    lines = {}
    accuracy, loss = (results(peers, measure).reindex(ours.index) for measure in ("acc", "nll"))
    for peer in loss.columns:
        sets = loss[peer].notna()
        if not sets.any():
            continue
        better_accuracy = (ours.acc - accuracy[peer])[sets].to_numpy()
        better_loss = (loss[peer] - ours.nll)[sets].to_numpy()
        lines[peer] = {
            "sets": int(sets.sum()),
            "its accuracy": accuracy[peer].mean(),
            "its log-loss": loss[peer].mean(),
            "accuracy w/d/l": won_drawn_lost(better_accuracy),
            "log-loss w/d/l": won_drawn_lost(better_loss),
            f"log-loss <= its + {NEAR}": int((better_loss >= -NEAR).sum()),
        }
    return pd.DataFrame.from_dict(lines, orient="index").sort_values(["sets", "its log-loss"], ascending=[False, True])


def won_drawn_lost(better: np.ndarray) -> str:
    """How often the model is better, about equal and worse."""
    won, lost = int((better >= DRAW).sum()), int((better <= -DRAW).sum())
    return f"{won}/{len(better) - won - lost}/{lost}"
