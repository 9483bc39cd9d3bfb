"""What stands in the site, in the order of its menu: a caption, then the pages below it."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

TOUR = (
    "bayes-rule",
    "decisions",
    "naive-bayes",
    "gaussian",
    "counts-and-weights",
    "semi-naive",
    "networks",
    "d-separation",
    "markov-chains",
    "elimination",
)
"""The pages of the tour, in their order, in each language."""

ELSEWHERE = {
    "README.md": "index.md",
    "README.zh.md": "zh/index.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "examples/README.md": "examples/index.md",
}
"""Where a file that is not in docs/ stands in the site; the README's place is taken by the page that opens it."""


def menu(examples: list[str], reference: list[str]) -> dict[str, list[str]]:
    """The pages below each caption, as paths in the site without their endings."""
    return {
        "Begin": ["howto/my-csv", "which-model", "glossary"],
        "Tour": ["tour/index", *(f"tour/{page}" for page in TOUR)],
        "How to": [
            "spam-filter",
            "decisions-and-costs",
            "howto/drifting-stream",
            "howto/federated-counting",
            "howto/from-scikit-learn",
            "howto/from-weka",
            "howto/from-pgmpy",
            "howto/from-pyagrum",
        ],
        "In depth": [
            "guide",
            "tables",
            "command",
            "networks",
            "learning-networks",
            "page",
            "export",
            "scale",
        ],
        "Examples": ["examples/index", *examples],
        "Reference": reference,
        "About": [
            "how-it-works",
            "benchmarks",
            "trust",
            "mutation-tests",
            "decisions/index",
            "licences",
            "release",
            "project/changelog",
            "project/contributing",
            "project/security",
        ],
        "简体中文": ["zh/index", "zh/tour/index", *(f"zh/tour/{page}" for page in TOUR), "notes.zh"],
    }
