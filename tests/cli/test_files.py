"""No command writes over what it reads, and a checkpoint is only ever a file of its own."""

import os

import pytest
from tests.cli.pets import pets, write
from tests.cli.process import call

import bayesfold as bf
from bayesfold.store import save

NAMES = ["t.csv", "./t.csv", "sub/../t.csv", "soft.csv", "hard.csv"]


@pytest.fixture
def folder(tmp_path):
    """A table with two more names, a model of it with another name, and a file of costs."""
    write(tmp_path / "t.csv", pets())
    (tmp_path / "sub").mkdir()
    (tmp_path / "soft.csv").symlink_to("t.csv")
    os.link(tmp_path / "t.csv", tmp_path / "hard.csv")
    call(tmp_path, "fit", "t.csv", "-t", "pet", "-m", "naive", "-o", "m.bayes")
    os.link(tmp_path / "m.bayes", tmp_path / "hard.bayes")
    (tmp_path / "costs.json").write_text('{"cat": {"dog": 2}, "dog": {"cat": 1}}', encoding="utf-8")
    return tmp_path


@pytest.fixture
def refused(folder):
    """A command that fails, after which every file is as it was, and what it says."""

    def run(*arguments, code=1):
        before = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}
        said = call(folder, *arguments, code=code).stderr
        assert {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()} == before
        return said

    return run


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("read", ["t.csv", "[s-u].csv"])
def test_a_table_is_not_written_over(refused, name, read):
    assert "is what is read" in refused("predict", "m.bayes", read, "-o", name)
    assert "is what is read" in refused("report", "m.bayes", read, "-o", name)
    assert "is what is read" in refused("plot", "roc", "m.bayes", read, "-o", name)
    assert "is what is read" in refused("fit", read, "-t", "pet", "--checkpoint", name)


@pytest.mark.parametrize("name", ["m.bayes", "./m.bayes", "hard.bayes"])
def test_a_model_is_not_written_over(refused, name):
    for command in (
        ("predict", "m.bayes", "t.csv", "-o", name),
        ("report", "m.bayes", "t.csv", "-o", name),
        ("plot", "nomogram", "m.bayes", "-o", name),
        ("export", "m.bayes", "--to", "json", "-o", name),
        ("merge", "m.bayes", "m.bayes", "-o", name),
        ("fit", "t.csv", "-t", "pet", "--like", "m.bayes", "-o", name),
    ):
        assert "is what is read" in refused(*command), command


@pytest.mark.parametrize("name", ["hard.bayes", "new.bayes", "./New.bayes"])
def test_a_checkpoint_is_not_the_model(refused, name):
    out = "m.bayes" if name == "hard.bayes" else "new.bayes"
    assert "is where the model will be written" in refused("fit", "t.csv", "-t", "pet", "-o", out, "--checkpoint", name)


@pytest.mark.parametrize("name", ["costs.json", "hard.bayes", "sub"])
@pytest.mark.parametrize("kind", ["naive", "bayes"])
def test_a_checkpoint_is_never_a_file_of_another_kind(refused, name, kind):
    told = ("fit", "t.csv", "-t", "pet", "-m", kind, "-o", "new.bayes", "--checkpoint", name)
    assert f"{name} is no" in refused(*told)


def test_costs_are_not_a_checkpoint(refused):
    told = ("fit", "t.csv", "-t", "pet", "-o", "new.bayes", "--loss", "costs.json", "--checkpoint", "costs.json")
    assert "is what is read; give another name with --checkpoint" in refused(*told)


def test_a_model_like_another_has_no_checkpoint(refused):
    told = ("fit", "t.csv", "--like", "m.bayes", "-o", "n.bayes", "--checkpoint", "count")
    assert "--checkpoint" in refused(*told, code=2)


def test_python_does_not_write_over_what_it_reads_either(folder, monkeypatch):
    monkeypatch.chdir(folder)
    before = (folder / "t.csv").read_bytes()
    clf = bf.NaiveBayes().fit_from("t.csv", "pet")
    for write_over in (
        lambda: clf.predict_from("t.csv", "hard.csv"),
        lambda: clf.save("soft.csv"),
        lambda: bf.export_model(clf, "t.csv", "json"),
        lambda: bf.NaiveBayes().fit_from("t.csv", "pet", checkpoint="./t.csv"),
    ):
        with pytest.raises(ValueError, match="is what is read"):
            write_over()
    with pytest.raises(ValueError, match="is not a checkpoint but a model, and was left as it is"):
        bf.NaiveBayes().fit_from("t.csv", "pet", checkpoint="m.bayes")
    with pytest.raises(ValueError, match=r"costs.json is not a checkpoint and was left as it is"):
        bf.NaiveBayes().fit_from("t.csv", "pet", checkpoint="costs.json")
    assert (folder / "t.csv").read_bytes() == before


def test_a_file_that_took_the_checkpoints_place_stays(folder, monkeypatch):
    """What is removed at the end is looked at once more."""
    from bayesfold.io import checkpoint as module
    from bayesfold.io import sample
    from bayesfold.io.fit import learn_from
    from bayesfold.learning.kinds import find

    monkeypatch.setattr(sample, "MOST_ROWS", 20)
    monkeypatch.setattr(sample, "LEAST_ROWS", 20)
    monkeypatch.setattr(module, "SECONDS", 0.0)
    keep = folder / "count"
    trained, account = learn_from(find("naive")(), folder / "t.csv", "pet", checkpoint=keep)
    assert keep.exists()
    save(trained, keep)
    with pytest.raises(ValueError, match="is not a checkpoint but a model, and was left as it is"):
        account.checkpoint.discard()
    assert keep.exists()


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a disk that is always full is Linux's")
def test_a_full_disk_is_said_by_name(folder):
    import subprocess

    from tests.cli.process import COMMAND, ENVIRONMENT

    for command in (["predict", "m.bayes", "t.csv"], ["inspect", "m.bayes"], ["predict", "m.bayes", "t.csv", "--json"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [*COMMAND, *command],
                cwd=folder,
                env=ENVIRONMENT,
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert done.returncode == 1, done.stderr
        assert done.stderr.splitlines()[0] == "bayesfold: standard output: No space left on device"


def test_the_demonstration_writes_over_nothing_but_its_own_tables(tmp_path):
    for name in ("mine.csv", "mine.parquet"):
        (tmp_path / name).write_text("a,y\n1,p\n")
        assert "exists already" in call(tmp_path, "demo", "--table", name, code=1).stderr
        assert (tmp_path / name).read_text() == "a,y\n1,p\n"
    for seed in ("0", "1"):
        call(tmp_path, "demo", "--table", "patients.csv", "--rows", "20", "--seed", seed)


def test_predictions_are_written_or_printed_and_an_option_that_does_nothing_is_refused(refused):
    said = refused("predict", "m.bayes", "t.csv", "--json", "-o", "answers.csv", code=2)
    assert "--json prints" in said
    for words, why in (
        (["--web", "--table", "new.csv"], "--table"),
        (["--seed", "3"], "--seed"),
        (["--table", "new.csv", "--port", "3"], "--port"),
        (["--no-open"], "--no-open"),
        (["--web", "--rows", "20"], "--rows"),
    ):
        assert why in refused("demo", *words, code=2)
