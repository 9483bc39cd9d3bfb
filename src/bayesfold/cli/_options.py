"""Arguments that several commands share, and their examples: what --help shows, without loading what does the work."""

from typing import Any

import click
from click.shell_completion import CompletionItem

from bayesfold.runtime.registry import Plugs

ENDINGS = (
    ".csv",
    ".tsv",
    ".txt",
    ".gz",
    ".parquet",
    ".pq",
    ".arrow",
    ".feather",
    ".ipc",
    ".mbox",
    ".jsonl",
    ".ndjson",
    ".xlsx",
)
MODEL, TABLE, NETWORK = (".bayes",), ENDINGS, (".bif", ".xmlbif", ".net", ".xdsl", ".uai", ".json", ".bayes")


class File(click.ParamType[str]):
    """A file name, completed by its ending."""

    name = "file"

    def __init__(self, endings: tuple[str, ...]) -> None:
        self.endings = endings

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The shell completes files by itself."""
        return [CompletionItem(incomplete, type="file")]


def plug_words(folder: str) -> list[str]:
    """The plugs of a folder of the library, which are words on the command line; nothing is imported for that."""
    return Plugs(folder, "word").names()


def list_kinds() -> str:
    """The kinds of model, in a line."""
    others = [name for name in plug_words("bayesfold.learning.kinds") if name != "bayes"]
    return f"bayes (an ensemble, the default; with --text it is text), {', '.join(others[:-1])} or {others[-1]}."


class Word(click.ParamType[str]):
    """A file of a folder of the library, by its name."""

    name = "word"

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The words that begin so."""
        return [CompletionItem(n) for n in plug_words(self.folder) if n.startswith(incomplete)]


class Picture(click.ParamType[str]):
    """A picture by its name, or a file."""

    name = "picture"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The pictures there are; the shell completes files by itself."""
        pictures = [CompletionItem(n) for n in plug_words("bayesfold.plots") if n.startswith(incomplete)]
        return pictures or [CompletionItem(incomplete, type="file")]


def tables_argument(command: Any) -> Any:
    """The argument TABLES: one or several tables of the same columns; mail is one too."""
    return click.argument("tables", nargs=-1, required=True, type=File(TABLE), metavar="TABLES...")(command)


def model_argument(command: Any) -> Any:
    """The argument MODEL: a model file."""
    return click.argument("model", type=File(MODEL))(command)


def json_option(command: Any) -> Any:
    """The option --json: print for machines."""
    return click.option("--json", is_flag=True, help="Print one JSON document instead of text.")(command)


def target_option(command: Any) -> Any:
    """The option --target: the column of the classes, where it has another name here."""
    words = "The column of the classes, if it is named differently than in training."
    return click.option("-t", "--target", metavar="COLUMN", help=words)(command)


def reading_options(command: Any) -> Any:
    """The options --encoding and --decimal: how text files are written."""
    letters = "The encoding of text files, e.g. cp1252 or utf-16; by default detected."
    mark = "The decimal mark: ',' or '.'; by default detected."
    command = click.option("--decimal", type=click.Choice([",", "."]), metavar="MARK", help=mark)(command)
    return click.option("--encoding", metavar="NAME", help=letters)(command)


def choosing_options(command: Any) -> Any:
    """The options for the columns and the model, which are found out where they are not given."""
    family = "The family of a column, e.g. Age=categorical. May be repeated."
    prose = "A column of free text, split into words. May be repeated."
    for option in (
        click.option("--set", "others", multiple=True, metavar="NAME=VALUE", help="Any other parameter of the model."),
        click.option("--drop", multiple=True, metavar="COLUMN", help="A column to leave out. May be repeated."),
        click.option("--missing", multiple=True, metavar="MARKS", help="Missing value markers, e.g. '?,Glucose=0'."),
        click.option("--text", multiple=True, metavar="COLUMN", help=prose),
        click.option("--as", "families", multiple=True, metavar="COLUMN=FAMILY", help=family),
        click.option("-m", "--model", type=Word("bayesfold.learning.kinds"), metavar="KIND", help=list_kinds()),
    ):
        command = option(command)
    return command


def allow_missing_option(command: Any) -> Any:
    """The option for tables that lack a column of the model."""
    words = "Treat a column of the model that the table lacks as missing in every row, instead of failing."
    return click.option("--allow-missing", is_flag=True, help=words)(command)


def no_wait_option(command: Any) -> Any:
    """The option for a model that another process is changing."""
    words = "Fail at once if another process is changing the model, instead of waiting for it."
    return click.option("--no-wait", is_flag=True, help=words)(command)


def weight_option(command: Any) -> Any:
    """The option --weight: the column with the weight of each row."""
    return click.option("--weight", metavar="COLUMN", help="The column of row weights.")(command)


def groups_option(command: Any) -> Any:
    """The option --groups: the column that says which rows are of one unit."""
    words = "The column that identifies the unit of a row, e.g. a patient: its rows are held out together; no feature."
    return click.option("--groups", metavar="COLUMN", help=words)(command)


EXAMPLES = {
    "fit": """\b
Examples:
  bayesfold fit patients.csv --target Outcome
  bayesfold fit patients.csv -t Outcome --missing '?,Glucose=0' --as Age=categorical
  bayesfold fit 2024.parquet 2025.parquet -t churn --drop customer_id -o churn.bayes
  bayesfold fit patients.csv -t Outcome --loss costs.json --reject-cost 0.2
  bayesfold fit votes.csv -t party --model kdb --set k=1
  bayesfold fit visits.csv -t Outcome --groups patient        all visits of a patient are held out together
  bayesfold fit mail.csv -t spam --text subject --text body
  bayesfold fit --engine spark --master spark://host:7077 sales -t churn -o churn.bayes
  bayesfold fit spam.mbox ham.mbox -t folder --text body      mail; a maildir too: fit Maildir -t folder ...
  zcat big.csv.gz | bayesfold fit - -t y -o y.bayes

\b
costs.json has loss[decision][truth]; right decisions cost nothing:
  {"treat": {"well": 1}, "wait": {"sick": 20}}""",
    "predict": """\b
Examples:
  bayesfold predict patients.bayes new.csv -o answers.csv
  bayesfold predict patients.bayes new.parquet -o answers.parquet
  bayesfold predict patients.bayes new.csv --priors yes=0.05,no=0.95
  bayesfold predict other.bayes answers.csv --prefix other. -o both.csv
  cat new.csv | bayesfold predict patients.bayes - | head""",
    "evaluate": """\b
Examples:
  bayesfold evaluate patients.bayes later.csv
  bayesfold evaluate patients.bayes patients.csv --leave-out
  bayesfold evaluate old.bayes new.bayes later.csv            differences between the two, with intervals
  bayesfold evaluate patients.bayes later.csv --loss costs.json --json""",
    "explain": """\b
Examples:
  bayesfold explain patients.bayes new.csv                    the first five rows
  bayesfold explain patients.bayes new.csv --row 12 --row 40
  bayesfold explain patients.bayes new.csv --of yes --against no
  bayesfold explain patients.bayes new.csv --row 12 --change  what would change the decision
  bayesfold explain patients.bayes new.csv --row 12 --ask     which missing value is worth asking for""",
    "inspect": """\b
Examples:
  bayesfold inspect patients.bayes
  bayesfold inspect patients.bayes --json""",
    "update": """\b
Examples:
  bayesfold update patients.bayes march.csv                   patients.bayes learns march.csv
  bayesfold update patients.bayes march.csv -o newer.bayes    patients.bayes stays as it is""",
    "forget": """\b
Examples:
  bayesfold forget patients.bayes withdrawn.csv               as if these rows had never been learned
  bayesfold forget patients.bayes withdrawn.csv -o without.bayes""",
    "schema": """\b
Examples:
  bayesfold schema north.csv -t place -o places.bayes         types, levels and bins of columns; no rows
  bayesfold fit south.csv --schema places.bayes -o south.bayes
  bayesfold fit west.csv --schema places.bayes --min-cell 5 -o west.bayes
  bayesfold merge south.bayes west.bayes -o all.bayes         equals one fit of all rows""",
    "merge": """\b
Examples:
  bayesfold fit north.csv -t place -o north.bayes
  bayesfold fit south.csv -t place --like north.bayes -o south.bayes
  bayesfold merge north.bayes south.bayes -o both.bayes""",
    "learn": """\b
Examples:
  bayesfold learn patients.csv -o patients.bif                then: bayesfold query patients.bif "place | awake=alert"
  bayesfold learn patients.csv --cut 4 --tiers "age,sex;place" --forbid "sex->place"
  bayesfold learn patients.csv --numbers gaussian -o net.json numbers are not discretised (linear Gaussian)
  bayesfold learn survey.csv --score bdeu --exact             the global optimum
  bayesfold learn survey.csv --bootstrap 200 --averaged -o sure.bif --plot arcs.html""",
    "query": """\b
Examples:
  bayesfold query smoking "cancer | smoking=yes"              a built-in network
  bayesfold query smoking "P(cancer, bronchitis | dyspnoea=yes)"
  bayesfold query smoking "cancer | do(smoking=no)"            smoking is set, not observed
  bayesfold query net.json "height | sex=f, weight=60"        a number; also "sex | height=180"
  bayesfold query smoking "cancer | smoking=yes" --steps      variable elimination, step by step
  bayesfold query smoking "dyspnoea=yes" --most-probable      the most probable state of everything else""",
    "dsep": """\b
Examples:
  bayesfold dsep smoking cancer bronchitis                    a built-in network, or a file
  bayesfold dsep smoking cancer bronchitis --given smoking
  bayesfold dsep smoking cancer bronchitis --given smoking,dyspnoea""",
    "serve": """\b
Examples:
  bayesfold serve patients.bayes                              opens the page in a browser
  bayesfold serve patients.csv --target place                 a table: see its columns, fit a model, try it
  bayesfold serve smoking                                     a network, built in or a file: click a state to observe it
  bayesfold serve old.bayes new.bayes asia.bif --port 9000
  bayesfold serve patients.bayes --writable                   the page may learn and forget rows
  bayesfold serve patients.bayes --host 0.0.0.0 --allow-host scores.example --token-file token --workers 4""",
    "plot": """\b
Examples:
  bayesfold plot nomogram patients.bayes                      writes nomogram.html
  bayesfold plot patients.bayes later.csv -o calibration.html the file name says the picture
  bayesfold plot waterfall patients.bayes new.csv --row 3 -o row3.html --dark""",
    "report": """\b
Examples:
  bayesfold report patients.bayes later.csv -o report.html
  bayesfold report patients.bayes patients.csv --leave-out -o report.html""",
    "export": """\b
Examples:
  bayesfold export patients.bayes -o patients.onnx            the extension says the format
  bayesfold export patients.bayes --to sql --set table=patients
  bayesfold export patients.bayes -o score.js
  bayesfold export votes.bayes -o votes.bif                   of a TAN or KDB""",
    "demo": """\b
Examples:
  bayesfold demo                                              what bayesfold does, in a terminal
  bayesfold demo --web                                        the page, with built-in models
  bayesfold demo --table patients.csv                         a table of 1,000 patients to play with""",
}
