"""From rows to a model: discover columns, choose densities and structures, fit, weigh."""
