"""A Bayesian network of the iris flowers: which measurement depends on which, and queries for any variable."""

import pandas as pd
from sklearn.datasets import load_iris

import bayesfold as bf

data = load_iris(as_frame=True)
names = {name: name.removesuffix(" (cm)").replace(" ", "_") for name in data.data}
flowers = data.data.rename(columns=names).apply(lambda column: pd.qcut(column, 3, labels=["low", "middle", "high"]))
flowers = flowers.astype(str).assign(species=data.target_names[data.target])

found = bf.learn_network(flowers, score="bdeu", tiers=[["species"], list(names.values())])
print(found)
print()
print(found.network.query("species | petal_length=middle, sepal_width=low"))
print()
print(found.network.query("petal_width | species=virginica"))
print()
blanket = found.network.markov_blanket("petal_width")
print("Markov blanket of petal_width:", ", ".join(blanket))
