"""One file means one file: a plug of each sort is put into its room, and used from Python and from the command."""

import io
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from tests.cli.process import call
from tests.laws import (
    test_contributions,
    test_forgetting,
    test_formats,
    test_leave_one_out,
    test_merging,
    test_saving,
)
from tests.laws.test_engines import assert_same

import bayesfold as bf
from bayesfold.cli import _serving, commands
from bayesfold.io.fit import learn_from
from bayesfold.learning import kinds
from bayesfold.store import known

Put = Callable[[str, str, str], None]

ROWS = 240
DRAW = np.random.default_rng(7)
LABEL = np.where(np.arange(ROWS) % 2 == 0, "now", "late")
TABLE = pd.DataFrame(
    {
        "wait": DRAW.exponential(np.where(LABEL == "late", 8.0, 1.0)),
        "day": DRAW.choice(["mon", "tue", "wed"], ROWS),
        "place": DRAW.choice(["here", "there"], ROWS),
    }
)
TABLE["road"] = np.where(DRAW.random(ROWS) < 0.8, TABLE["place"].map({"here": "short", "there": "long"}), "none")


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Put]:
    """Write a file into a folder that joins a package until the test ends."""
    for name in commands.PLUGS.names():
        commands.PLUGS.load(name)  # their help is made once, and is not to tell of a plug that is gone
    written: list[tuple[str, str]] = []

    def write(package: str, name: str, text: str) -> None:
        folder = tmp_path / package
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.py").write_text(dedent(text).lstrip(), encoding="utf-8")
        home = import_module(package)
        monkeypatch.setattr(home, "__path__", [*home.__path__, str(folder)])
        written.append((package, name))

    yield write
    for package, name in written:
        sys.modules.pop(f"{package}.{name}", None)
        vars(sys.modules[package]).pop(name, None)
    for words in (known.class_named, known.word_for_class):
        words.cache_clear()


def survives(clf: Any, path: Path, rows: pd.DataFrame = TABLE, labels: Any = LABEL) -> None:
    """What a classifier of rows does is the same after it was saved; what it forgets it can learn again."""
    clf.save(path)
    back = bf.load(path)
    np.testing.assert_array_equal(back.predict_proba(rows), clf.predict_proba(rows))
    left_out = clf.leave_one_out(rows, labels)
    np.testing.assert_array_equal(back.leave_one_out(rows, labels), left_out)
    one = clf.explain(rows[:1])[0]
    log_p = dict(zip(clf.classes_, clf.predict_log_proba(rows[:1])[0], strict=True))
    assert one.log_odds == pytest.approx(log_p[one.decision] - log_p[one.against])
    back.forget(rows[:9], labels[:9])
    assert not np.allclose(back.predict_proba(rows), clf.predict_proba(rows), rtol=1e-3)
    back.partial_fit(rows[:9], labels[:9])
    np.testing.assert_allclose(back.predict_proba(rows), clf.predict_proba(rows), rtol=1e-9)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the table, for the command."""
    TABLE.assign(y=LABEL).to_csv(tmp_path / "bus.csv", index=False)
    TABLE[:5].assign(y=LABEL[:5]).to_csv(tmp_path / "gone.csv", index=False)
    return tmp_path


# a family

EXPONENTIAL = '''
    """Waiting times: P(x | scale) = e^(-x / scale) / scale, scale = (S x + r m) / (n + r), m the column's mean."""

    from dataclasses import dataclass, field, replace
    from typing import Any, ClassVar

    import numpy as np

    from bayesfold.families._forms import Density, without_row


    @dataclass(frozen=True)
    class Exponential:
        pseudo_rows: float = 1.0
        mean: Any = field(default=None, compare=False)
        order: ClassVar[int] = 1
        least: ClassVar[float] = 0.0

        def hold(self, cells):
            n = cells.weight.sum(1)
            return replace(self, mean=cells.high[..., 0].sum(1) / np.where(n > 0, n, 1.0))

        def fit(self, cells) -> Density:
            if self.mean is None:
                return self.hold(cells).fit(cells)
            total = cells.high[..., 0] + self.pseudo_rows * self.mean[:, None]
            return Density((np.maximum(total / (cells.weight + self.pseudo_rows), 0.01),))

        def suits(self, x):
            return True

        def log_density(self, form, x):
            return log_exponential(form.parameters[0], x[:, None])

        def left_out(self, cells, x, group, weight, where, others=None):
            held = replace(self, mean=np.repeat(self.mean[where], len(x)))
            scale = held.fit(without_row(cells, x, group, weight, where)).parameters[0]
            return log_exponential(scale.reshape(len(where), len(x)).T, x)

        def sample(self, form, group, draw):
            return draw.exponential(form.parameters[0][0, group])


    def log_exponential(scale, x):
        return -np.log(scale) - np.maximum(x, 0.0) / scale
'''


@pytest.fixture
def exponential(put: Put) -> None:
    put("bayesfold.families", "exponential", EXPONENTIAL)


def family_of(clf: Any) -> str:
    return next(str(c.family) for c in clf.columns_ if c.name == "wait")


@pytest.mark.usefixtures("exponential")
@pytest.mark.parametrize("told", [{"families": {"wait": "exponential"}}, {"numeric": "exponential"}])
def test_a_family_is_declared(told: dict[str, Any], tmp_path: Path) -> None:
    clf = bf.NaiveBayes(**told).fit(TABLE, LABEL)
    assert family_of(clf) == "exponential"
    assert clf.score(TABLE, LABEL) > 0.8
    survives(clf, tmp_path / "bus.bayes")
    made = bf.families.exponential.Exponential(pseudo_rows=2.0)
    assert family_of(bf.NaiveBayes(families={"wait": made}).fit(TABLE, LABEL)) == "exponential"


@pytest.mark.usefixtures("exponential")
@pytest.mark.parametrize("estimator", ["NaiveBayes", "BayesClassifier"])
def test_a_family_is_found_where_it_suits(estimator: str, tmp_path: Path) -> None:
    clf = getattr(bf, estimator)().fit(TABLE[["wait"]], LABEL)
    (report,) = clf.columns_
    assert "exponential" in report.why
    negative = bf.NaiveBayes().fit(TABLE[["wait"]] - 3.0, LABEL)
    assert "exponential" not in negative.columns_[0].why
    few = TABLE[["wait"]][:28].assign(wait=lambda t: t["wait"].where(t.index > 0, 0.0))  # too few to bin, one is 0
    chosen = getattr(bf, estimator)().fit(few, LABEL[:28])
    assert family_of(chosen) == "exponential"
    survives(chosen, tmp_path / "bus.bayes", few, LABEL[:28])


@pytest.mark.usefixtures("exponential")
def test_a_family_without_suits_is_not_tried(put: Put) -> None:
    put("bayesfold.families", "halting", EXPONENTIAL.replace("Exponential", "Halting").replace("def suits", "def no"))
    clf = bf.NaiveBayes().fit(TABLE, LABEL)
    assert not any("halting" in c.why for c in clf.columns_)
    assert family_of(bf.NaiveBayes(numeric="halting").fit(TABLE, LABEL)) == "halting"


@pytest.mark.usefixtures("exponential")
def test_a_family_says_which_numbers_it_cannot_learn() -> None:
    clf = bf.NaiveBayes(numeric="exponential").fit(TABLE, LABEL)
    wrong = TABLE.assign(wait=-1.0)
    for learn in (bf.NaiveBayes(numeric="exponential").fit, clf.partial_fit):
        with pytest.raises(ValueError, match="'wait' is -1 in row 0, but exponential needs numbers of at least 0"):
            learn(wrong, LABEL)
    with pytest.raises(ValueError, match="exponential needs numbers of at least 0"):
        clf.model_.learn_row({"wait": -1.0}, "now")
    clf.model_.learn_row({"wait": 1.0}, "now")
    with pytest.warns(bf.RowWarning, match=r"below 0, which its density \(exponential\) rules out; they tell nothing"):
        assert np.isfinite(clf.predict_proba(wrong)).all()


@pytest.mark.usefixtures("exponential")
def test_a_family_keeps_the_laws() -> None:
    case = {"structure": "naive", "name": "exponential"}
    test_leave_one_out.test_a_row_left_out_is_a_refit_without_it(**case)
    test_forgetting.test_fit_less_forget_is_fit_of_the_rest(**case)
    test_merging.test_a_merged_model_is_the_model_of_the_union(**case)
    test_contributions.test_contributions_sum_to_the_log_joint(**case)
    test_saving.test_every_family_and_structure_survives(**case)


@pytest.mark.usefixtures("exponential")
def test_the_command_knows_a_family(folder: Path) -> None:
    call(folder, "fit", "bus.csv", "-t", "y", "-m", "naive", "--as", "wait=exponential")
    assert "exponential" in call(folder, "inspect", "bus.bayes").stdout
    assert "wait" in call(folder, "explain", "bus.bayes", "bus.csv", "--row", "1").stdout
    assert "P(late)" in call(folder, "predict", "bus.bayes", "gone.csv").stdout
    call(folder, "evaluate", "bus.bayes", "bus.csv", "--leave-out")
    call(folder, "plot", "densities", "bus.bayes")
    call(folder, "forget", "bus.bayes", "gone.csv")
    refused = call(folder, "export", "bus.bayes", "-o", "bus.js", code=1)
    assert "exponential density, which cannot be exported yet" in refused.stderr
    nearest = call(folder, "fit", "bus.csv", "-t", "y", "--as", "wait=exponentail", code=1)
    assert "did you mean 'exponential'" in nearest.stderr


# a structure

CHAIN = '''
    """A chain: every table depends on the class and on the table before it."""

    from dataclasses import dataclass
    from itertools import pairwise

    from bayesfold.data.graph import Mixture, Node


    @dataclass(frozen=True)
    class Chain:
        def learn(self, schema, count=None):
            target = schema.target.name
            before = {name: (up,) for up, name in pairwise(schema.tables)}
            nodes = [Node((c.name,), (*before.get(c.name, ()), target)) for c in schema.features]
            return Mixture(((Node((target,)), *nodes),))
'''


@pytest.fixture
def chain(put: Put) -> None:
    put("bayesfold.models.structures", "chain", CHAIN)


@pytest.mark.usefixtures("chain")
def test_a_structure_is_learned(tmp_path: Path) -> None:
    clf = bf.BayesClassifier(structure="chain").fit(TABLE, LABEL)
    (part,) = clf.model_.members.values()
    parents = {node.children[0]: node.parents[:-1] for node in part.mixture.networks[0]}
    assert parents["road"] == ("place",)
    assert "up to 1 parent" in str(clf.report_)
    survives(clf, tmp_path / "bus.bayes")
    clf.reweigh(TABLE, LABEL)
    with pytest.raises(ValueError, match="structure='chian' is not one of 'auto', 'aode', 'chain'"):
        bf.BayesClassifier(structure="chian").fit(TABLE, LABEL)


@pytest.mark.usefixtures("chain")
def test_a_structure_keeps_the_laws() -> None:
    case = {"structure": "chain", "name": "mixed"}
    test_leave_one_out.test_a_row_left_out_is_a_refit_without_it(**case)
    test_forgetting.test_fit_less_forget_is_fit_of_the_rest(**case)
    test_contributions.test_contributions_sum_to_the_log_joint(**case)
    test_saving.test_every_family_and_structure_survives(**case)


@pytest.mark.usefixtures("chain")
def test_the_command_knows_a_structure(folder: Path) -> None:
    call(folder, "fit", "bus.csv", "-t", "y", "-m", "bayes", "--set", "structure=chain")
    assert "chain" in call(folder, "inspect", "bus.bayes").stdout
    assert "road" in call(folder, "explain", "bus.bayes", "bus.csv", "--row", "1").stdout
    call(folder, "evaluate", "bus.bayes", "bus.csv", "--leave-out")
    call(folder, "forget", "bus.bayes", "gone.csv")
    call(folder, "export", "bus.bayes", "-o", "bus.js")
    call(folder, "plot", "network", "bus.bayes")


# a picture


@pytest.mark.parametrize(
    ("of", "signature", "tables", "first"),
    [
        ("model", "clf, of=None, against=None", (), "Trained"),
        ("network", "clf", (), "Trained"),
        ("row", "explanation", ("bus.csv",), "Explanation"),
        ("rows", "source, loss=None, reject_cost=None", ("bus.csv",), "tuple"),
        ("learner", "clf, X, y", ("bus.csv",), "Learner"),
    ],
)
def test_a_picture_says_what_it_is_of(
    of: str, signature: str, tables: tuple[str, ...], first: str, put: Put, folder: Path
) -> None:
    text = f'''
        """What a picture is given."""

        OF = "{of}"


        def data({signature}):
            return [type(value).__name__ for value in locals().values()]


        def draw(numbers, dark=False):
            return {{"data": [], "layout": {{"title": {{"text": " ".join(numbers)}}}}}}
    '''
    put("bayesfold.plots", "shown", text)
    assert of == bf.plots.shown.OF
    call(folder, "fit", "bus.csv", "-t", "y", "-m", "naive")
    classes, drawn = ("--of", "now", "--against", "late"), ("plot", "shown", "bus.bayes", *tables)
    if of in ("model", "row"):
        call(folder, *drawn, *classes)
    else:
        assert "shown has no use for --of; leave it out" in call(folder, *drawn, *classes, code=1).stderr
        call(folder, *drawn)
    page = (folder / "shown.html").read_text(encoding="utf-8")
    assert f'"text":"{first}' in page.replace('": "', '":"')
    assert ("str str" in page) == (of == "model")
    wrong = call(folder, "plot", "shown", "bus.bayes", *(() if tables else ("bus.csv",)), code=1)
    assert "picture of rows: name a table" in wrong.stderr or "picture of the model alone" in wrong.stderr


# an engine

RECORDS = '''
    """Rows as lines `column: value`, an empty line behind each row."""

    from functools import partial

    import pyarrow as pa

    from bayesfold.io.engines._batches import Batches

    SUFFIXES = (".records",)


    class Records(list):
        """Rows as dicts."""


    def opens(ends):
        return ends.suffix == ".records" or ends.head.startswith(b"%records")


    def opens_folder(path):
        return (path / "records").is_dir()


    def part(path, label):
        return Batches(partial(reader, path), label, path, engine="records")


    def takes(what):
        return isinstance(what, Records)


    def take(what):
        return Batches(lambda: pa.Table.from_pylist(what).to_reader(), "the records", engine="records")


    def reader(path):
        files = sorted((path / "records").iterdir()) if path.is_dir() else [path]
        text = "".join(file.read_text("utf-8").removeprefix("%records\\n") for file in files)
        rows = [dict(line.split(": ") for line in row.splitlines()) for row in text.split("\\n\\n") if row]
        table = pa.Table.from_pylist(rows)
        table = table.set_column(0, "wait", table.column("wait").cast(pa.float64()))
        return table.to_reader(100)
'''


def as_records(table: pd.DataFrame) -> str:
    rows = ["\n".join(f"{name}: {value}" for name, value in row.items()) for row in table.to_dict("records")]
    return "".join(f"{row}\n\n" for row in rows)


@pytest.fixture
def records(put: Put, folder: Path) -> Path:
    """A folder with the table as records."""
    put("bayesfold.io.engines", "records", RECORDS)
    whole = TABLE.assign(y=LABEL)
    (folder / "bus.records").write_text(as_records(whole), encoding="utf-8")
    (folder / "gone.records").write_text(as_records(whole[:5]), encoding="utf-8")
    (folder / "no-ending").write_text("%records\n" + as_records(whole), encoding="utf-8")
    (folder / "box" / "records").mkdir(parents=True)
    for i in range(2):
        (folder / "box" / "records" / f"{i}").write_text(as_records(whole[i * 120 :][:120]), encoding="utf-8")
    return folder


def test_an_engine_says_what_it_reads(records: Path) -> None:
    expected = learn_from(kinds.find("naive")(), pa.Table.from_pandas(TABLE.assign(y=LABEL)), "y")[0].model_.tally
    own = import_module("bayesfold.io.engines.records").Records(TABLE.assign(y=LABEL).to_dict("records"))
    stream = io.BytesIO((records / "no-ending").read_bytes())
    for what in (records / "bus.records", records / "no-ending", records / "box", stream, own):
        trained, account = learn_from(kinds.find("naive")(), what, "y")
        assert (account.rows, account.engine) == (ROWS, "records")
        assert_same(trained.model_.tally, expected)


def test_the_command_knows_an_engine(records: Path) -> None:
    call(records, "fit", "bus.records", "-t", "y", "-m", "naive")
    assert "P(late)" in call(records, "predict", "bus.bayes", "bus.records").stdout
    call(records, "fit", "box", "-t", "y", "-m", "naive", "-o", "box.bayes")
    call(records, "evaluate", "bus.bayes", "box.bayes", "no-ending", "--leave-out")
    call(records, "forget", "bus.bayes", "gone.records")
    (records / "bus.csv").unlink()
    assert "did you mean bus.records" in call(records, "fit", "bus.recrods", "-t", "y", code=1).stderr
    assert _serving.is_table("bus.records")


# a network format

GARDEN = '''
    """Our JSON under a name of its own."""

    from bayesfold.networks.formats import json

    SUFFIXES = (".garden",)
    read, write = json.read, json.write
'''


def test_a_network_format(put: Put, tmp_path: Path) -> None:
    put("bayesfold.networks.formats", "garden", GARDEN)
    net = bf.read_network("sprinkler")
    bf.write_network(net, tmp_path / "wet.garden.gz")
    bf.write_network(net, tmp_path / "wet.garden")
    assert (tmp_path / "wet.garden").read_bytes()[:1] == b"{"
    assert bf.read_network(tmp_path / "wet.garden.gz").factorization() == net.factorization()
    test_formats.test_what_is_written_is_read_again(name="garden")
    assert "rain" in call(tmp_path, "query", "wet.garden", "rain | grass=wet").stdout
    call(tmp_path, "plot", "network", "wet.garden")


# a command

GREET = '''
    """Greet a model."""

    import click

    from bayesfold.cli import _options as options


    @click.command()
    @options.model_argument
    def greet(model):
        """Greet MODEL."""
        from bayesfold.cli import _models

        click.echo(f"hello, {_models.load_model(model).target}")


    COMMAND = greet
'''


def test_a_command(put: Put, folder: Path) -> None:
    put("bayesfold.cli.commands", "greet", GREET)
    call(folder, "fit", "bus.csv", "-t", "y", "-m", "naive")
    assert call(folder, "greet", "bus.bayes").stdout == "hello, y\n"
    assert "Greet a model" in call(folder, "--help").stdout
    assert "did you mean 'greet'?" in call(folder, "gret", "bus.bayes", code=2).stderr
    assert "did you mean bus.bayes?" in call(folder, "greet", "bux.bayes", code=1).stderr


# an export

PRIORS = '''
    """The classes and how often they are, in lines."""

    SUFFIXES = (".priors",)


    def write(classifier, digits=3):
        p = [round(float(x), digits) for x in classifier.model_.log_proba(classifier.model_.schema.encode_row({}))[0]]
        return "".join(f"{name} {share}\\n" for name, share in zip(classifier.model_.classes, p, strict=True))
'''


def test_an_export(put: Put, folder: Path) -> None:
    put("bayesfold.store.export", "priors", PRIORS)
    clf = bf.NaiveBayes().fit(TABLE, LABEL)
    assert bf.export_model(clf, folder / "bus.priors").read_text() == "late -0.693\nnow -0.693\n"
    call(folder, "fit", "bus.csv", "-t", "y", "-m", "naive")
    call(folder, "export", "bus.bayes", "--to", "priors", "--set", "digits=1")
    assert (folder / "bus.priors").read_text() == "late -0.7\nnow -0.7\n"
    call(folder, "export", "bus.bayes", "-o", "other.priors")
    assert (
        "no option 'digit'" in call(folder, "export", "bus.bayes", "--to", "priors", "--set", "digit=1", code=1).stderr
    )
