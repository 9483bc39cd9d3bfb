"""A first model: Italian wines, thirteen measurements, three growers. How good is it, and why this grower?"""

from sklearn.datasets import load_wine

from bayesfold import BayesClassifier, NaiveBayes

data = load_wine(as_frame=True)
X, y = data.data, data.target_names[data.target]

pool = BayesClassifier().fit(X[::2], y[::2])
right = pool.score(X[1::2], y[1::2])
print(f"fitted on {len(X[::2])} wines; {right:.0%} of the {len(X[1::2])} others are predicted correctly")
print("an ensemble of", ", ".join(line.name for line in pool.report_.lines if line.weight > 0))
print()

plain = NaiveBayes(numeric="gaussian").fit(X[::2], y[::2])
print(plain.explain(X[1:2])[0])
