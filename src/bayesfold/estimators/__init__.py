"""Classifiers with scikit-learn's interface: thin shells over `bayesfold.learning.fit`."""
