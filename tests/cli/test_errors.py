"""What goes wrong is said in one line, with what to do, and the exit code tells machines; nothing is half written."""

import json
import os
import subprocess
import sys

import pytest
from tests.cli.pets import pets, write
from tests.cli.process import COMMAND, ENVIRONMENT, run

from bayesfold.cli._commands import in_words
from bayesfold.cli._main import main
from bayesfold.networks.inference import TooLarge


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table, a model of it, and one of other columns."""
    place = tmp_path_factory.mktemp("errors")
    write(place / "pets.csv", pets())
    write(place / "later.csv", pets(30, seed=2))
    write(place / "nomass.csv", [[coat, indoor] for coat, _, indoor, _ in pets(9)])
    write(place / "unlabelled.csv", [line[:3] for line in pets(9)])
    run(place, "fit", "pets.csv", "-t", "pet", "-m", "naive")
    run(place, "fit", "pets.csv", "-t", "pet", "-m", "aode", "-o", "pool.bayes")
    (place / "costs.json").write_text('{"cat": {"dgo": 1}, "dog": {"cat": 2}}', encoding="utf-8")
    (place / "not.bayes").write_bytes(b"PK\x03\x04 something else")
    return place


@pytest.fixture
def said(folder, monkeypatch, capsys):
    """Runs the command in this process: the exit code and what it says of the error."""
    monkeypatch.chdir(folder)

    def call(*arguments):
        before = {p.name: p.stat().st_mtime_ns for p in folder.iterdir()}
        code = main(list(arguments))
        text = capsys.readouterr().err
        assert {p.name: p.stat().st_mtime_ns for p in folder.iterdir()} == before, "a file was touched"
        assert text.startswith("bayesfold: ")
        assert text.count("\n") == 1
        return code, text

    return call


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("fit pets.cvs -t pet", "did you mean pets.csv?"),
        ("fit pets.csv -t pett", "did you mean 'pet'?"),
        ("fit pets.csv -t pet --as mas=kde", "did you mean 'mass'?"),
        ("fit pets.csv -t pet --as mass=gausian", "did you mean 'gaussian'?"),
        ("fit pets.csv -t pet --as mass", "COLUMN=FAMILY"),
        ("fit pets.csv -t pet --drop coats", "did you mean 'coat'?"),
        ("fit pets.csv -t pet --weight coat", "pets.csv, line 2: column 'coat' is '"),
        ("fit pets.csv -t pet --weight coat", "' here; weights must be numbers"),
        ("fit pets.csv -t pet --missing masss=0", "did you mean 'mass'?"),
        ("fit pets.csv -t pet -m naiv", "did you mean 'naive'?"),
        ("fit pets.csv -t pet -m kdb --set kk=2", "no setting 'kk'"),
        ("fit pets.csv -t pet -m kdb --set k=-2", "k=-2"),
        ("fit pets.csv -t pet -m naive --set families=1", "--as"),
        ("fit pets.csv -t pet -m naive --loss costs.json", "'dgo'"),
        ("fit pets.csv -t mass", "that is a quantity"),
        ("fit pets.csv -t pet -o pets.csv", "ends in .bayes"),
        ("fit pets.csv -t pet --text coat -m aode", "--text needs"),
        ("fit pets.csv -t pet -m text", "--text COLUMN"),
        ("fit pets.csv -t pet -o nowhere/pets.bayes", "no folder"),
        ("predict pets.byes later.csv", "did you mean pets.bayes?"),
        ("predict not.bayes later.csv", "ZIP"),
        ("predict later.csv pets.bayes", "later.csv is not a model; name the model first"),
        ("predict pets.bayes costs.json", "no column"),
        ("predict pets.bayes nomass.csv", "(--allow-missing treats it as missing in every row)"),
        ("update pets.bayes unlabelled.csv", "has no column 'pet', the target (--target says what it is called)"),
        ("predict pets.bayes later.csv -o later.csv", "is what is read"),
        ("predict pets.bayes later.csv --priors ct=1", "did you mean 'cat'?"),
        ("explain pets.bayes later.csv --of ct", "did you mean 'cat'?"),
        ("explain pets.bayes later.csv --row 99", "no row 99"),
        ("forget pets.bayes later.csv", "was not learned"),
        ("merge pets.bayes pets.bayes -o nowhere/x.bayes", "no folder"),
        ("plot calibraton pets.bayes later.csv", "did you mean 'calibration'?"),
        ("plot calibration pets.bayes", "name a table"),
        ("export pets.bayes -o pets.txt", "endings are .bif, .js, .json, .onnx, .sql; or name the format with --to"),
        ("export pool.bayes --to bif", "one is needed: 'fit --model tan' (or naive, kdb, spode) learns one"),
        ("export pets.bayes --to onxx", "did you mean 'onnx'?"),
        ("query smokng cancer", "did you mean 'smoking'?"),
        ("query smoking cancr", "did you mean 'cancer'?"),
        ("query smoking cancer|smoking=yess", "did you mean 'yes'?"),
        ("learn pets.csv --compare pest.csv", "there is no file pest.csv; did you mean"),
        ("dsep smoking cancer bronchtis", "did you mean 'bronchitis'?"),
    ],
)
def test_what_the_data_or_the_model_cannot_do_is_code_1(said, arguments, words):
    code, text = said(*arguments.split(" "))
    assert words in text
    assert code == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("fti pets.csv", "did you mean 'fit'?"),
        ("fit pets.csv", "say which column to predict, with --target NAME; pets.csv has 'coat', 'mass'"),
        ("fit pets.csv -t pet --modle naive", "--model"),
        ("evaluate pets.bayes", "a table"),
        ("evaluate later.csv", "a model"),
        ("explain pets.bayes later.csv --row x", "not a valid integer"),
        ("merge pets.bayes -o x.bayes", "at least two"),
        ("plot pets.bayes -o picture.html", "say which picture, for example plot nomogram pets.bayes; there are arc"),
        ("plot pets.bayes", "say which picture"),
        ("plot roc", "name a model too"),
        ("export pets.bayes", "say what to write, with -o pets.sql or --to sql; the formats are bif, js"),
        ("fit pets.csv -t pet --like pets.bayes --as mass=kde", "--like"),
    ],
)
def test_what_is_not_understood_is_code_2(said, arguments, words):
    code, text = said(*arguments.split(" "))
    assert words in text
    assert "--help" in text
    assert code == 2


def test_debug_shows_where_an_error_comes_from(folder):
    done = subprocess.run(
        [*COMMAND, "query", "smokng", "cancer", "--debug"],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" in done.stderr


def test_every_command_has_help_with_examples(capsys):
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    names = [
        line.split()[0] for line in text.split("Commands:")[1].split("\n\n")[0].strip().splitlines() if line[2] != " "
    ]
    assert {"fit", "predict", "evaluate", "explain", "update", "forget", "merge", "inspect", "query", "dsep"} <= set(
        names
    )
    assert "Exit codes" in text
    for name in names:
        assert main([name, "--help"]) == 0
        assert "Examples:" in capsys.readouterr().out, name


WORDS = ["see you at lunch tomorrow", "win a large prize today", "the meeting is at noon", "cheap pills for you"]
ROWS_WITH_DATES = [
    {
        "day": f"2024-0{1 + i % 9}-{10 + i % 17}",
        "said": f"{WORDS[i % 4]} {i % 7} {i % 3}",
        "old": i % 5 > 1,
        "y": "pq"[i * i % 3 > 0],
    }
    for i in range(90)
]


@pytest.mark.parametrize(
    "line", ["fit pets.csv -t pet", "fit dated.csv -t y", "fit dated.jsonl -t y", "learn pets.csv -o net.bif"]
)
def test_learning_loads_neither_scikit_learn_nor_pandas_nor_scipy_stats(line, folder, tmp_path):
    (tmp_path / "pets.csv").write_bytes((folder / "pets.csv").read_bytes())
    lines = [",".join(ROWS_WITH_DATES[0]), *(",".join(map(str, row.values())) for row in ROWS_WITH_DATES)]
    (tmp_path / "dated.csv").write_text("\n".join(lines))
    (tmp_path / "dated.jsonl").write_text("\n".join(map(json.dumps, ROWS_WITH_DATES)))
    script = (
        f"import sys; from bayesfold.cli._main import main; code = main({line.split()!r}); "
        "heavy = [m for m in ('sklearn', 'pandas', 'scipy', 'rich', 'plotly') if m in sys.modules]; "
        "sys.exit(code or (str(heavy) if heavy else 0))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


ANSWERS = (
    "fit pets.csv -t pet -m naive -o quiet.bayes",
    "predict pets.bayes later.csv -o answers.csv",
    "evaluate pets.bayes later.csv",
    "explain pets.bayes later.csv --change --ask",
    "inspect pets.bayes",
    "update pets.bayes later.csv -o more.bayes",
    "forget more.bayes later.csv",
    "merge pets.bayes quiet.bayes -o both.bayes",
    "plot nomogram pets.bayes -o points.html",
    "plot confusion pets.bayes later.csv -o confusion.html",
    "report pets.bayes later.csv -o report.html",
    "export pets.bayes -o pets.sql",
    "export pets.bayes --to js",
    "query smoking cancer|smoking=yes",
    "dsep smoking cancer bronchitis",
)


def test_no_command_waits_for_what_is_slow_to_load(folder, tmp_path):
    for name in ("pets.csv", "later.csv", "pets.bayes"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    script = (
        "import sys; from bayesfold.cli._main import main\n"
        "for line in sys.stdin.read().splitlines():\n"
        "    code = main(line.split())\n"
        "    heavy = [m for m in ('sklearn', 'pandas', 'scipy', 'rich', 'plotly.graph_objects') if m in sys.modules]\n"
        "    if code or heavy: sys.exit(f'{line}: {code} {heavy}')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=ENVIRONMENT,
        input="\n".join(ANSWERS).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


LEARNING = [
    "learning.fit",
    "learning.em",
    "learning.discover",
    "learning.choices",
    "learning.cross_fit",
    "io.speculative",
]
"""What only learning needs."""
DISTANT = ["io.engines._spark_rows", "io.remote", "io.checkpoint", "store.network_content"]
"""What only rows that stay elsewhere, a long count or a network in a file need."""
DOES_WITHOUT = {
    "inspect pets.bayes": [*LEARNING, *DISTANT, "tally.counter", "decisions.measures", "io.open"],
    "predict pets.bayes later.csv": [*LEARNING, *DISTANT, "tally.counter", "decisions.measures", "store.inspection"],
    "explain pets.bayes later.csv --json": [*LEARNING, *DISTANT, "tally.counter", "io.judging", "store.inspection"],
    "evaluate pets.bayes pets.csv": [*LEARNING, *DISTANT, "store.inspection"],
    "export pets.bayes -o x.sql": [*LEARNING, *DISTANT, "io.open"],
    "query smoking cancer|smoking=yes": ["learning", "models", "store", "tally", "io"],
    "fit pets.csv -t pet -m naive -o quiet.bayes": [*DISTANT, "learning.pool.recommend", "learning.em"],
    "merge pets.bayes pets.bayes -o x.bayes": [*LEARNING, *DISTANT, "tally.counter", "io.engines.csv", "io.open"],
}


@pytest.mark.parametrize("line", DOES_WITHOUT)
def test_a_command_loads_only_what_it_uses(folder, tmp_path, line):
    for name in ("pets.csv", "later.csv", "pets.bayes"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    script = (
        "import sys; from bayesfold.cli._main import main; code = main(sys.argv[2].split())\n"
        "print(code, *(m for m in sys.argv[1].split() if f'bayesfold.{m}' in sys.modules), file=sys.stderr)"
    )
    given = [sys.executable, "-c", script, " ".join(DOES_WITHOUT[line]), line]
    done = subprocess.run(given, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "0"


def test_help_loads_nothing_heavy(folder):
    script = (
        "import sys; from bayesfold.cli._main import main; main(['--help']); main(['fit', '--help']); "
        "sys.exit(str([m for m in ('numpy', 'pyarrow', 'rich', 'pathlib', 'dataclasses') if m in sys.modules] or ''))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, env=ENVIRONMENT, capture_output=True, check=False)
    assert done.stderr.strip() == b""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals and pipes as POSIX has them")
def test_a_reader_that_goes_away_is_no_error(folder, tmp_path):
    write(tmp_path / "many.csv", pets(20_000))
    run(tmp_path, "fit", "many.csv", "-t", "pet", "-m", "naive")
    pipes = {"cwd": tmp_path, "env": ENVIRONMENT, "stderr": subprocess.PIPE}
    with subprocess.Popen([*COMMAND, "predict", "many.bayes", "many.csv"], stdout=subprocess.PIPE, **pipes) as begun:
        begun.stdout.readline()
        begun.stdout.close()
        assert begun.stderr.read() == b""
        assert begun.wait() == 141


def test_what_is_too_large_says_its_size():
    assert "6.4e+30 bytes" in in_words(TooLarge(6.4e30, 2.0**31))
    assert in_words(MemoryError()) == "there is not enough memory for this"
