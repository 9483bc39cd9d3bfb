"""A first model: Italian wines, thirteen measurements, three growers; how good it is, and why it says what it says."""

from sklearn.datasets import load_wine

from bayesfold import BayesClassifier, NaiveBayes

data = load_wine(as_frame=True)
X, y = data.data, data.target_names[data.target]

pool = BayesClassifier().fit(X[::2], y[::2])
print(f"learned {len(X[::2])} wines; right on {pool.score(X[1::2], y[1::2]):.0%} of the {len(X[1::2])} others")
print("a pool of", ", ".join(line.name for line in pool.report_.lines if line.weight > 0))
print()

plain = NaiveBayes(numeric="gaussian").fit(X[::2], y[::2])
print(plain.explain(X[1:2])[0])
