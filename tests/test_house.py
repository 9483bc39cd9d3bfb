"""The house is as it is drawn: rooms in their order, plugs that do not know each other, a test for every module."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "bayesfold"
PLUGS = (
    "cli/commands",
    "families",
    "io/engines",
    "learning/kinds",
    "models/structures",
    "networks/formats",
    "plots",
    "store/export",
)
"""Folders whose files are found by name."""

STANDS_FOR = {
    "__main__.py": "cli/test_newcomer.py",
    "cli/__main__.py": "cli/test_newcomer.py",
    "cli/_*.py": "cli/test_newcomer.py",
    "cli/commands/*.py": "cli/test_newcomer.py",
    "decisions/measure.py": "decisions/test_measures.py",
    "estimators/answering.py": "estimators/test_checks.py",
    "estimators/d*.py": "estimators/test_dropins.py",
    "estimators/fitted.py": "estimators/test_saved.py",
    "estimators/folded.py": "laws/test_spark.py",
    "estimators/saved_network.py": "estimators/test_network_classifier.py",
    "estimators/settled.py": "laws/test_options.py",
    "explanations/network.py": "estimators/test_network_classifier.py",
    "explanations/explanation.py": "explanations/test_explain.py",
    "families/_counts.py": "families/test_blocks.py",
    "families/_normal.py": "families/test_gaussian.py",
    "io/engines/_spark_*.py": "io/engines/test_spark.py",
    "io/remote_guess.py": "io/test_remote.py",
    "io/blocks.py": "laws/test_engines.py",
    "io/csv/diagnosis.py": "cli/test_odd_files.py",
    "io/labelled.py": "io/test_judging.py",
    "io/look.py": "io/test_source.py",
    "io/part_types.py": "io/test_source.py",
    "io/column_formats.py": "data/test_number_format.py",
    "kernels/csv/*.py": "io/csv/test_fields.py",
    "kernels/inference/*.py": "networks/inference/test_program.py",
    "kernels/scoring/*.py": "models/scoring/test_scorer.py",
    "kernels/text/*.py": "kernels/text/test_words.py",
    "kernels/structure/independence.py": "networks/learning/test_constraint.py",
    "kernels/structure/orders.py": "networks/learning/test_posterior.py",
    "learning/gaussian_vector.py": "oracles/test_discriminant_analysis.py",
    "learning/intervals.py": "io/test_packed.py",
    "learning/kinds/*.py": "learning/kinds/test_kinds.py",
    "learning/choices.py": "learning/test_fit.py",
    "learning/held_out.py": "learning/test_cross_fit.py",
    "learning/labels_and_weights.py": "laws/test_sample_weight.py",
    "learning/naive_readings.py": "learning/test_number_selection.py",
    "learning/readings.py": "learning/test_fit.py",
    "learning/learned_rows.py": "laws/test_forgetting.py",
    "learning/more_rows.py": "laws/test_folding.py",
    "learning/unlabelled.py": "learning/test_em.py",
    "learning/pool/*.py": "learning/pool/test_recommend.py",
    "learning/scores.py": "laws/test_scores.py",
    "models/alike.py": "laws/test_merging.py",
    "models/drawing.py": "laws/test_sampling.py",
    "models/left_out.py": "laws/test_leave_one_out.py",
    "models/one_row.py": "laws/test_folding.py",
    "models/refusals.py": "learning/test_em.py",
    "models/class_prior.py": "oracles/test_brute_force.py",
    "models/credit.py": "laws/test_contributions.py",
    "models/scoring/*.py": "oracles/test_semi_naive.py",
    "networks/formats/*.py": "networks/formats/test_reading.py",
    "networks/learning/hidden_states.py": "networks/learning/test_em.py",
    "networks/counting.py": "networks/learning/test_parameters.py",
    "networks/learning/result.py": "networks/learning/test_structure.py",
    "networks/learning/strengths.py": "networks/learning/test_bootstrap.py",
    "networks/inference/neighbours.py": "networks/inference/test_engine.py",
    "plots/_answers.py": "plots/test_roc.py",
    "plots/_columns.py": "plots/test_nomogram.py",
    "plots/_paths.py": "plots/test_network.py",
    "store/network_content.py": "estimators/test_network_classifier.py",
    "store/export/_*.py": "laws/test_exports.py",
    "tally/block_counter.py": "families/test_blocks.py",
    "tally/forgetting.py": "laws/test_forgetting.py",
    "web/report/*.py": "web/report/test_report.py",
    "web/server/**/*.py": "web/server/test_app.py",
}
"""Modules without a test of their own, and the law, oracle or walk that would notice if they were wrong."""


def rows() -> list[str]:
    """The rooms of each row, top to bottom, as the contract has them."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    found: list[str] = next(c for c in contracts if c.get("containers") == ["bayesfold"])["layers"]
    return found


@cache
def parsed(path: Path) -> list[ast.AST]:
    """Every node of a file, in no order that matters."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imported(path: Path) -> set[str]:
    """The modules that a file imports, by name."""
    found = set()
    for node in parsed(path):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found


def test_nothing_lies_flat_but_init() -> None:
    assert sorted(path.name for path in SOURCE.glob("*.py")) == ["__init__.py", "__main__.py"]


def test_a_person_can_remember_the_rows() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert rooms == {room for row in rows() for room in row.split(" | ")}
    assert len(rows()) <= 16
    assert len(rooms) <= 17


def test_contributing_draws_the_rows_as_they_are() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    drawn = text.partition("## The rooms")[2].split("```")[1].strip().splitlines()
    assert [re.split(r"\s{2,}", line)[0] for line in drawn] == rows()


@pytest.mark.parametrize("folder", PLUGS)
def test_plugs_do_not_know_each_other(folder: str) -> None:
    home = "bayesfold." + folder.replace("/", ".")
    plugs = {path.stem: path for path in (SOURCE / folder).glob("*.py") if not path.stem.startswith("_")}
    assert plugs
    known = {
        (name, other)
        for name, path in plugs.items()
        for other in plugs
        if other != name and f"{home}.{other}" in imported(path)
    }
    assert not known


@pytest.mark.parametrize("folder", PLUGS)
def test_a_folder_of_plugs_holds_nothing_else(folder: str) -> None:
    others = [path.name for path in (SOURCE / folder).iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert not others


def test_the_walk_through_the_rooms_names_places_that_are_there() -> None:
    text = (ROOT / "docs" / "how-it-works.md").read_text(encoding="utf-8")
    rooms = "|".join(room for row in rows() for room in row.split(" | "))
    places = set(re.findall(rf"(?<![\w/])(?:{rooms})/\w+(?:/\w+)*", text))
    assert len(places) > 15
    missing = [p for p in places if not ((SOURCE / f"{p}.py").exists() or (SOURCE / p / "__init__.py").exists())]
    assert not missing
    named = re.findall(r"(\w+(?:/\w+)+) +(?:\w+\.)?(\w+): ", text)
    assert len(named) > 6
    for module, function in named:
        assert re.search(rf"def {function}\b", (SOURCE / f"{module}.py").read_text()), function


@cache
def imported_by_tests() -> set[str]:
    """The modules that tests import, and the packages around them, by name."""
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py"))
    found = set()
    for module, names in re.findall(r"(?:from|import) (bayesfold[\w.]*)(?: import ([^\n]*))?", tests):
        words = module.split(".")
        found |= {".".join(words[: i + 1]) for i in range(len(words))}
        found |= {f"{module}.{name}" for name in re.findall(r"\w+", names)}
    return found


def has_its_own_test(path: Path) -> bool:
    """Whether a module has a test that is found by its path, examples that are run, or a test that imports it."""
    inside = path.relative_to(SOURCE)
    name = inside.parent.name if path.stem == "__init__" else path.stem.strip("_")
    folders = (inside.parent, inside.parent.parent)
    if any((ROOT / "tests" / folder / f"test_{name}.py").exists() for folder in folders):
        return True
    module = ".".join(("bayesfold", *inside.with_suffix("").parts)).removesuffix(".__init__")
    return ">>> " in path.read_text(encoding="utf-8") or module in imported_by_tests()


def test_every_module_has_a_test() -> None:
    every = [path for path in SOURCE.rglob("*.py") if len(path.read_text(encoding="utf-8").splitlines()) > 15]
    bare = {path for path in every if not has_its_own_test(path)}
    stood_for: set[Path] = set()
    for pattern, test in STANDS_FOR.items():
        assert (ROOT / "tests" / test).exists(), test
        found = bare.intersection(SOURCE.glob(pattern))
        assert found or len(list(SOURCE.glob(pattern))) == 1, f"nothing needs the line {pattern!r}"
        stood_for |= found
    assert bare == stood_for, sorted(map(str, bare - stood_for))


ENCODINGS = {"Binned", "Categories", "Counts", "Flag", "OneHot", "Presence", "Real", "Scaled", "Vector", "Words"}
KINDS_ASKED = {
    "data/vector.py": 2,  # sorts its axes by kind, once, for everybody
    "learning/gaussian_vector.py": 2,  # makes axes of a vector from columns: the one place that turns kinds into kinds
    "store/check_part.py": 1,  # which family may read what a file says: a vector is no block of counts
    "store/export/_lower_columns.py": 1,  # a text that two columns read is written once
    "store/to_network.py": 1,  # bins become intervals, which networks have
    "tally/trimming.py": 3,  # what no row shows is found in counts, in every second sum, or in all sums
}
"""Where it is asked what kind of encoding a column is, how often and why. Elsewhere ask it (`data/encoding.py`),
take the schema's list of a kind (`schema.categories`), or write a table of functions by kind (`singledispatch`)."""


def kinds_asked(path: Path) -> int:
    """How often a module asks for the kind of an encoding."""
    nodes = parsed(path)
    ours = {node.name for node in nodes if isinstance(node, ast.ClassDef)} if "data" in path.parts else set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bayesfold.data"):
            ours |= {name.asname or name.name for name in node.names if name.name in ENCODINGS}
    calls = [n for n in nodes if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "isinstance"]
    return sum(bool(ours & ENCODINGS & {getattr(n, "id", "") for n in ast.walk(call.args[1])}) for call in calls)


@pytest.mark.slow
def test_what_kind_a_column_is_is_asked_in_few_places() -> None:
    asked = {path.relative_to(SOURCE).as_posix(): kinds_asked(path) for path in sorted(SOURCE.rglob("*.py"))}
    assert {path: many for path, many in asked.items() if many} == KINDS_ASKED


LONG = {
    "kernels/counting/moments.py": "exact sums: every loop has the same double-double arithmetic in line",
    "kernels/csv/fields.py": "one loop over the bytes of a file, with the branches of a field in line",
    "kernels/inference/bucket_tree.py": "one compiled class: the order, its price and its buckets share their scratch",
    "kernels/inference/unbounded.py": "one compiled class: messages, rescaled on the way, need all others at hand",
    "kernels/scoring/deep.py": "its loops need `chain` in line: from another kernel it takes several times as long",
    "kernels/scoring/one_parent.py": "one answer, by cell and by row: what both multiply stands in line, four at once",
    "kernels/structure/climb.py": "one search: what a change of an arc costs is kept beside the moves that change it",
    "kernels/structure/families.py": "one compiled class: counts, scores and bounds of a family over the same buffers",
    "kernels/text/words.py": "one compiled class: the reader of terms and its lexicon, resumed where room ran out",
    "networks/network.py": "one public class: every question of a network, with its documentation",
}
"""Modules of more than 300 lines, and why each is one. Another one should be two."""


def test_long_modules_have_a_reason() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCE.rglob("*.py")}
    long = {path.relative_to(SOURCE).as_posix() for path, many in lines.items() if many > 300}
    assert long <= set(LONG), "look for the second concept"
    assert len(LONG) <= 10
    assert all((SOURCE / path).exists() for path in LONG)
