"""Advice that the library gives to programmers, in the words of this command.

>>> translate_advice("left out as an identifier (families={'id': 'categorical'} keeps it)")
"left out as an identifier (--as 'id=categorical' keeps it)"
>>> translate_advice("k=-1 must be a whole number of at least 0")
'--set k=-1 must be a whole number of at least 0'
>>> translate_advice("too much work; structure='aode' learns it alone")
'too much work; --set structure=aode learns it alone'
>>> translate_advice("if that means missing: missing={'age': ['k.A.', '?']}")
"if that means missing: --missing 'age=k.A.' --missing 'age=?'"
"""

import re
from ast import literal_eval
from dataclasses import fields
from functools import cache, lru_cache

LIKE = "learn the second with 'bayesfold fit --like FIRST.bayes'"
NAIVE = "'fit --model naive'"
VALUE = r"'[\w.-]+'|None|True|False|-?\d[\d.*]*"
"""Pattern of a value in the library's advice."""
LONG = 4
"""Fewest letters of a name that is surely a setting in the middle of a message ("k=2" may be a variable)."""

PHRASES = (
    (r"families=\{(['\"]?)(.*?)\1: 'text'\}", r"--text '\2'"),
    (r"declare the column: families=\{\.\.\.: 'categorical'\}", "fit with --as COLUMN=categorical"),
    (r"families=\{(['\"]?)(.*?)\1: '(\w+)'\}", r"--as '\2=\3'"),
    (r"^numeric='(\w+)'(?! is not)", r"numbers read as \1"),
    (r"name the columns that all files have in columns=, or", "make the columns alike, or"),
    (r"reweigh\(X, y\) fits them again", "they stay until it is fitted again"),
    (r"(name it|named) in missing=", r"\1 with --missing"),
    (r"read the column as text: columns=\{(['\"]?)(.*?)\1: 'text'\}", r"read it as words: --as '\2=categorical'"),
    (r"\bencoding='\.\.\.', for example '([^']*)'", r"--encoding NAME, for example \1"),
    (r"\bencoding='([^']*)'", r"--encoding \1"),
    (r"\bencoding= says", "--encoding NAME says"),
    (r"\bdecimal= says", "--decimal MARK says"),
    (r"\bsay decimal=$", "say --decimal"),
    (r"columns= without ('.*?'|\".*?\") leaves", r"--drop \1 leaves"),
    (r"\b(encoding|decimal)= has", r"--\1 has"),
    (r"differently with prefix=", "differently with --prefix TEXT"),
    (r"leave (checkpoint)= out", r"leave --\1 out"),
    (r"leave (unlabelled)= out", r"leave --set \1 out"),
    (r"fit the second with schema=first\.schema_[^;.]*", LIKE),
    (r"let the second learn its rows into the first's: first\.blank\(\)\.partial_fit\(X, y\)", LIKE),
    (r"learn both models with the same schema: first\.blank\(\)\.partial_fit\(X, y\)", LIKE),
    (r"given by schema=", "given by --like"),
    (r"weights=None, calibration=None", "--set weights=none --set calibration=none"),
    (r"or this picture of a NaiveBayes$", f"or this picture of a model learned with {NAIVE}"),
    (r"fit NaiveBayes, TAN, KDB or SPODE$", "'fit --model tan' (or naive, kdb, spode) learns one"),
    (r"or learn a NaiveBayes, which does it here", f"or learn with {NAIVE}, which does it here"),
    (r"or fit a TextClassifier", "or learn with 'fit --model text'"),
    (r"bayesfold\.evaluate\(model, X, y\) judges it", "'bayesfold evaluate' judges it"),
    (r"hold columns fixed \(fixed=\), or give fewer in values=", "learn fewer columns (fit --drop)"),
    (r"forget with keep_levels=True keeps", "--keep-levels keeps"),
    (r"give sample_weight=factor \*\* age", "forget it in Python, with sample_weight=factor ** age"),
    (
        r"give the weights they (\w+ \w+( with)?) as sample_weight",
        r"name the column of the weights they \1: --weight COLUMN",
    ),
    (r"give tables= to from_edges", "give it in the file"),
    (
        r"learn_network\(\.\.\., bootstrap=(\d+)\) or posterior=True$",
        r"'bayesfold learn TABLE --bootstrap \1' or --posterior",
    ),
    (
        r"cut numbers into intervals or let them stay numbers \(numbers=\"gaussian\"\)",
        "cut numbers into intervals with --cut N or let them stay numbers with --numbers gaussian",
    ),
    (
        r"cut it into intervals first, because",
        "cut it into intervals with --cut N, or leave it a number with --numbers gaussian, because",
    ),
    # Options of an export.
    (r"give its name in columns=", """give its name: --set 'columns={"OLD": "NEW"}'"""),
    (r"^columns= renames", "--set columns renames"),
    (
        r"say which columns to keep=, or give another label= or probability=",
        "choose other names with --set label=NAME or --set probability=NAME, or other columns with --set keep=[...]",
    ),
    (r"give another label= or probabilities=", "give another --set label or --set probabilities"),
    (r"^name=(.*) cannot be a variable", r"--set name=\1 cannot be a variable"),
)
"""Phrases of the library, and what the command says instead."""


@lru_cache(1024)
def translate_advice(text: str) -> str:
    """A message of the library, for people who type commands."""
    text = re.sub(r"missing=(\{.*?\]\})", write_missing, text)
    for pattern, words in PHRASES:
        text = re.sub(pattern, words, text)
    if "=" not in text:
        return text
    text = re.sub(
        rf"(?:^|(?<=: ))({'|'.join(setting_names())})=(.*?)(?= (?:is not|must|needs|fits|weighs|is found|is chosen) )",
        write_setting,
        text,
    )
    long = "|".join(name for name in setting_names() if len(name) >= LONG)
    return re.sub(rf"(?:(?<=[a-z:;] )|(?<= \()|(?<=^))(?<!--set )({long})=({VALUE})(?![\w=])", write_setting, text)


def write_missing(match: re.Match[str]) -> str:
    """What means missing, by column, as it is typed on the command line."""
    named: dict[str, list[str]] = literal_eval(match[1])
    return " ".join(f"--missing '{name}={mark}'" for name, marks in named.items() for mark in marks)


def write_setting(match: re.Match[str]) -> str:
    """A setting with its value, as it is typed on the command line."""
    name, value = match.groups()
    bare = value.strip("'\"")
    return f"--set {name}={bare.lower() if bare in ('None', 'True', 'False') else bare}"


@cache
def setting_names() -> tuple[str, ...]:
    """The names of all settings that --set takes, of every kind of model."""
    from bayesfold.learning.kinds import find, names

    return tuple(sorted({f.name for kind in names() for f in fields(find(kind))}, key=len, reverse=True))
