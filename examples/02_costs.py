"""What mistakes cost: a missed cancer is twenty times as bad as a false alarm, and a second opinion costs a little."""

from sklearn.datasets import load_breast_cancer

import bayesfold as bf

data = load_breast_cancer()
X, y = data.data[:, :10], data.target_names[data.target]
loss = {"benign": {"malignant": 20}, "malignant": {"benign": 1}}

models = {
    "most probable": bf.NaiveBayes(numeric="gaussian"),
    "least cost": bf.NaiveBayes(numeric="gaussian", loss=loss),
    "with a second opinion": bf.NaiveBayes(numeric="gaussian", loss=loss, reject_cost=0.3),
}
judged = bf.evaluate(models, X, y, folds=10, repeats=5, loss=loss, reject_cost=0.3)
print(f"{'':21} accuracy  cost   decided")
for name in judged.models:
    scores = judged.scores[name]
    print(f"{name:21} {scores['accuracy'].value:.3f}     {scores['cost'].value:.3f}  {scores['coverage'].value:.1%}")

gain = judged.difference("least cost", "most probable", "cost")
print(f"\nleast cost against most probable: {gain.value:+.3f} per woman, between {gain.low:.3f} and {gain.high:.3f}")
