"""The same predictions without Python: a classifier as a SQL query, run by DuckDB, and as a script for browsers."""

from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
from sklearn.datasets import load_wine

import bayesfold as bf

X, y = load_wine(return_X_y=True, as_frame=True)
X.columns = [name.replace("/", "_") for name in X]
wine = X.assign(grower=np.array(["Anna", "Bruno", "Carla"])[y])
clf = bf.TAN().fit(X, wine["grower"])

with TemporaryDirectory() as folder:
    for name in ("wine.sql", "wine.js", "wine.json"):
        print("wrote", bf.export_model(clf, Path(folder) / name).name)
    query = Path(folder, "wine.sql").read_text(encoding="utf-8")

database = duckdb.connect()
database.register("rows", X)
answers = database.sql(query).df()
there = answers[[f"P({name})" for name in clf.classes_]].to_numpy()
print("DuckDB's probabilities equal Python's:", bool(np.allclose(there, clf.predict_proba(X), atol=1e-9)))
print(answers["prediction"].value_counts().sort_index().to_dict())
