"""Learning curves: how good each method is after n rows, also on tables widened by columns that tell nothing."""
