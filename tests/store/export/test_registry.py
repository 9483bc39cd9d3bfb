"""Files of exported models: the format by the ending, whole or not at all, without scikit-learn."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import bayesfold as bf
from bayesfold.store import export

from .answers import EVERYWHERE

TABLE = {"coat": ["short", "long", "short", "short"], "size": ["s", "s", "l", "l"]}
CLF = bf.NaiveBayes().fit(TABLE, ["cat", "cat", "dog", "dog"])


@pytest.mark.parametrize("name", export.names())
def test_a_file_has_the_format_of_its_ending(name, tmp_path):
    found = export.find(name)
    path = bf.export_model(CLF, tmp_path / f"model{found.SUFFIXES[0]}")
    made = found.write(CLF)
    assert path.read_bytes() == (made.encode() if isinstance(made, str) else made)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]
    named = bf.export_model(CLF, tmp_path / "model", format=name)
    assert named.read_bytes() == path.read_bytes()


def test_every_format_that_has_answers_is_asked_for_them():
    assert {*EVERYWHERE, "json", "bif"} == set(export.names())  # json is what js reads, bif has no decision


def test_an_unknown_ending_or_format_says_which_there_are(tmp_path):
    with pytest.raises(ValueError, match=r"'model\.pkl' does not end like any export format; .* \.bif, \.js"):
        bf.export_model(CLF, tmp_path / "model.pkl")
    with pytest.raises(ValueError, match="no export format 'pmml'; there are bif, js, json, onnx, sql"):
        bf.export_model(CLF, tmp_path / "model.json", format="pmml")


def test_after_an_error_the_old_file_is_there(tmp_path):
    path = tmp_path / "model.bif"
    path.write_text("old")
    with pytest.raises(ValueError, match="joins several networks"):
        bf.export_model(bf.AODE().fit(TABLE, ["cat", "cat", "dog", "dog"]), path)
    assert [p.name for p in tmp_path.iterdir()] == ["model.bif"]
    assert path.read_text() == "old"


@pytest.mark.parametrize("name", export.names())
def test_what_has_no_model_says_what_to_do(name):
    for clf in (bf.NaiveBayes(), bf.MinimumRisk(LogisticRegression())):
        with pytest.raises(
            TypeError, match=r"cannot be exported.*fit it first, or export the classifier that it wraps"
        ):
            export.find(name).write(clf)


def test_a_network_of_the_classifier_answers_as_it_does(tmp_path):
    net = bf.read_network(bf.export_model(CLF, tmp_path / "pets.bif"))
    found = net.predict_proba({"coat": ["long", None], "size": [None, "l"]}, target="class")
    np.testing.assert_allclose(found, CLF.predict_proba({"coat": ["long", None], "size": [None, "l"]}), atol=1e-12)


def test_a_level_that_no_other_language_reads_is_refused():
    clf = bf.NaiveBayes(families={"id": "categorical"}).fit({"id": [2**53 + 1, 2, 2**53 + 1, 2]}, [*"ppqq"])
    with pytest.raises(ValueError, match=r"column 'id' has the level 9007199254740993.*make it text"):
        export.find("json").write(clf)


def test_exports_need_neither_scikit_learn_nor_onnx():
    code = (
        "import sys; sys.modules['onnx'] = None\n"
        "from bayesfold.data.frame import Frame\n"
        "from bayesfold.store import export\n"
        "from bayesfold.learning.trained import find, train\n"
        "clf = train(find('naive')(), Frame.of({'coat': ['short', 'long', 'short']}), ['cat', 'cat', 'dog'], 'pet')\n"
        "for name in ('bif', 'js', 'json', 'sql'): assert export.find(name).write(clf)\n"
        "try: export.find('onnx').write(clf)\n"
        "except ImportError as error: print(error, 'sklearn' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert said == "ONNX files are written by the package onnx: pip install 'bayesfold[onnx]' False\n"
