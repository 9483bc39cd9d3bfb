"""Mistakes that the tests once did not notice, each with the tests that notice it now.

`python -m tests.mutants named` plants them one after another; `right` stands in its file once.
"""

from dataclasses import dataclass
from pathlib import Path

from tests.mutants.plant import Mutant


@dataclass(frozen=True)
class Named:
    """A mistake: in the file at `path` the text `right` becomes `wrong`; `tests` are asked."""

    what: str
    path: str
    right: str
    wrong: str
    tests: tuple[str, ...]

    def planted(self, root: Path) -> Mutant:
        """The file with the mistake."""
        text = (root / self.path).read_text(encoding="utf-8")
        if text.count(self.right) != 1:
            raise ValueError(
                f"{self.path} has {self.right!r} {text.count(self.right)} times: mend the list of mistakes"
            )
        line = text[: text.index(self.right)].count("\n") + 1
        return Mutant(self.path, line, self.what, text.replace(self.right, self.wrong))


KERNELS = "src/bayesfold/kernels"
SRC = "src/bayesfold"

NAMED = (
    Named(
        "row weights ignored in sums of blocks",
        f"{KERNELS}/counting/blocks.py",
        "                total[g, j] += w * v\n",
        "                total[g, j] += v\n",
        ("tests/kernels/counting/test_blocks.py", "tests/laws/test_sample_weight.py", "tests/families/test_blocks.py"),
    ),
    Named(
        "row weights ignored in sums of sparse blocks",
        f"{KERNELS}/counting/blocks.py",
        "total[g, columns[e]] += w * v",
        "total[g, columns[e]] += v",
        ("tests/kernels/counting/test_blocks.py", "tests/data/test_sparse.py", "tests/estimators/test_dropins.py"),
    ),
    Named(
        "row weights ignored in sums of terms",
        f"{KERNELS}/counting/blocks.py",
        "total[g, j] += w * x[e]",
        "total[g, j] += x[e]",
        ("tests/kernels/counting/test_blocks.py", "tests/families/test_text.py", "tests/laws/test_sample_weight.py"),
    ),
    Named(
        "row weights ignored in moments of rows with holes",
        f"{KERNELS}/counting/moments.py",
        "s1[g, j] += w * v",
        "s1[g, j] += v",
        ("tests/kernels/counting/test_moments.py", "tests/laws/test_sample_weight.py"),
    ),
    Named(
        "row weights ignored in second moments of rows with holes",
        f"{KERNELS}/counting/moments.py",
        "s2[g, j] += w * (v * v)",
        "s2[g, j] += v * v",
        ("tests/kernels/counting/test_moments.py", "tests/laws/test_sample_weight.py"),
    ),
    Named(
        "row weights ignored in the temperature of a model",
        f"{SRC}/learning/exponents.py",
        "exponent = earned_temperature(joint, own, rows.weight)",
        "exponent = earned_temperature(joint, own)",
        ("tests/learning/test_exponents.py",),
    ),
    Named(
        "row weights ignored where columns are weighed",
        f"{SRC}/learning/exponents.py",
        "exponent = temperature(T[:, ~earned].sum(1), own, rows.weight)",
        "exponent = temperature(T[:, ~earned].sum(1), own)",
        ("tests/learning/test_exponents.py",),
    ),
    Named(
        "row weights ignored where networks are weighed",
        f"{SRC}/learning/exponents.py",
        "start: Any = temperature(joint, own, rows.weight) / T.shape[1]",
        "start: Any = temperature(joint, own) / T.shape[1]",
        ("tests/learning/test_exponents.py",),
    ),
    Named(
        "row weights ignored in the slope of a temperature",
        f"{KERNELS}/scoring/softmax.py",
        "        out[2] += v * max(second / sum - first * first, 0.0)",
        "        out[2] += max(second / sum - first * first, 0.0)",
        ("tests/kernels/scoring/test_softmax.py", "tests/learning/test_weights.py"),
    ),
    Named(
        "a weight at its bound moves when a row is left out",
        f"{SRC}/learning/newton.py",
        "        on = on[self.free[on] | (w[on] > 0)]  # a weight at its bound does not move\n",
        "",
        ("tests/learning/test_weights.py",),
    ),
    Named(
        "an observed node below a collider does not open it",
        f"{SRC}/networks/separation.py",
        "if (up and node not in given) or (not up and node in given):",
        "if (up and node not in given) or (not up and node in given and dag.parents[node][1:]):",
        ("tests/networks/test_separation.py",),
    ),
    Named(
        "a path through a collider is called blocked whatever is observed below it",
        f"{SRC}/networks/separation.py",
        'return node in opened if rule_at(dag, before, node, after) == "head-to-head"',
        'return node in C if rule_at(dag, before, node, after) == "head-to-head"',
        ("tests/networks/test_separation.py",),
    ),
    Named(
        "improbable states are lost on the way back of propagation",
        f"{KERNELS}/inference/propagation.py",
        "                    if self.messages[v] > 0.0:\n",
        "                    if self.messages[v] > 1e-12:\n",
        ("tests/kernels/inference", "tests/networks/inference"),
    ),
    Named(
        "a default of BIF fills rows that were given",
        f"{SRC}/networks/formats/bif.py",
        "table[~given] = default",
        "table[:] = default",
        ("tests/networks/formats/test_reading.py",),
    ),
    Named(
        "a default of BIF is not read",
        f"{SRC}/networks/formats/bif.py",
        "            table[~given] = default\n",
        "            table[~given] = 1 / len(default)\n",
        ("tests/networks/formats/test_reading.py",),
    ),
    Named(
        "a saved table may lack rows of a class",
        f"{SRC}/store/check_tally.py",
        "(rows <= whole).all(axis=1), (rows == whole).all(axis=1))",
        "(rows <= whole).all(axis=1), (rows <= whole).all(axis=1))",
        ("tests/store/test_check.py",),
    ),
    Named(
        "a checkpoint's key does not know its weight column",
        f"{SRC}/io/checkpoint.py",
        "selection.features, selection.target, selection.weight, unknown",
        "selection.features, selection.target, unknown",
        ("tests/io/test_checkpoint_key.py",),
    ),
    Named(
        "a checkpoint's key does not know what stands for unknown",
        f"{SRC}/io/checkpoint.py",
        "selection.weight, unknown, sorted(declared.items())",
        "selection.weight, sorted(declared.items())",
        ("tests/io/test_checkpoint_key.py",),
    ),
    Named(
        "a CSV file changed in place, of the same size, is taken for the same",
        f"{SRC}/io/engines/csv.py",
        "stat.st_size, stat.st_mtime_ns, *given]",
        "stat.st_size, *given]",
        ("tests/io/test_checkpoint_key.py",),
    ),
    Named(
        "a Parquet file changed in place, of the same size, is taken for the same",
        f"{SRC}/io/engines/_batches.py",
        "return [str(path.resolve()), stat.st_size, stat.st_mtime_ns]",
        "return [str(path.resolve()), stat.st_size]",
        ("tests/io/test_checkpoint_key.py",),
    ),
    Named(
        "a cut costs log(3^k) instead of log(3^k - 2)",
        f"{KERNELS}/counting/cuts.py",
        "classes * log(3.0) + log1p(-2.0 * pow(3.0, -classes))",
        "classes * log(3.0)",
        ("tests/kernels/counting/test_cuts.py",),
    ),
    Named(
        "importance is |mean| instead of mean of |.|",
        f"{SRC}/explanations/explanation.py",
        "np.abs(self.margins).mean(axis=0).tolist()",
        "np.abs(self.margins.mean(axis=0)).tolist()",
        ("tests/explanations/test_explain.py",),
    ),
    Named(
        "importance of words is |sum| instead of the sum of |.|",
        f"{SRC}/explanations/explanation.py",
        "np.bincount(place, np.abs(self.words.margins), len(names)) / len(self)",
        "np.abs(np.bincount(place, self.words.margins, len(names))) / len(self)",
        ("tests/explanations/test_explain.py",),
    ),
    Named(
        "SQL rejects where rejecting costs as much as deciding",
        f"{SRC}/store/export/sql.py",
        "CASE WHEN risk_taken <= {write_number(limit)}",
        "CASE WHEN risk_taken < {write_number(limit)}",
        ("tests/store/export/test_sql.py",),
    ),
    Named(
        "a confidence on an edge falls into the bin above it",
        f"{SRC}/decisions/metrics.py",
        'np.searchsorted(edges, sure, side="left") - 1',
        'np.searchsorted(edges, sure, side="right") - 1',
        ("tests/decisions/test_metrics.py",),
    ),
    Named(
        "weights ignored in a bin's confidence",
        f"{SRC}/decisions/metrics.py",
        "np.bincount(place, w * part, bins) / total for part",
        "np.bincount(place, part, bins) / total for part",
        ("tests/decisions/test_metrics.py",),
    ),
    Named(
        "bz2 is not known by its first bytes",
        f"{SRC}/io/signatures.py",
        'rb"BZh[1-9](1AY&SY|\\x17rE8P\\x90)"), "bz2"',
        'rb"BZh[1-9](1AY&SYY|\\x17rE8P\\x90)"), "bz2"',
        ("tests/io/test_packed.py", "tests/io/test_signatures.py"),
    ),
    Named(
        "a file that is written while it is read is taken for one table",
        f"{SRC}/io/unchanged.py",
        "        if state_of(path) != state:\n",
        "        if state_of(path) is None and state is not None:\n",
        ("tests/io/test_unchanged.py",),
    ),
    Named(
        "the folder of a new file is not synced",
        f"{SRC}/runtime/atomic_file.py",
        "    sync_folder(place.parent)\n",
        "",
        ("tests/runtime/test_atomic_file.py",),
    ),
    Named(
        "a new file is not synced before it takes the old one's place",
        f"{SRC}/runtime/atomic_file.py",
        "            os.fsync(file.fileno())\n",
        "            pass\n",
        ("tests/runtime/test_atomic_file.py",),
    ),
)
