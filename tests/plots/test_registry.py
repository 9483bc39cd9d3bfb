"""Every picture: found by its file, drawn dark and light, saved as a page that needs nothing else."""

import json
import re
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import bayesfold as bf
from bayesfold import plots
from bayesfold.plots import _figure

from .sources import LOSS, SOURCES, TRUTH, X, Y

every = pytest.mark.parametrize("name", plots.names())


def test_every_picture_has_something_to_draw():
    assert set(SOURCES) == set(plots.names())


@every
@pytest.mark.parametrize("dark", [False, True])
def test_a_picture_is_drawn_in_colours_that_everyone_can_tell_apart(name, dark):
    figure = plots.plot(name, *SOURCES[name], dark=dark)
    spec = json.loads(figure.to_json())
    assert spec["data"]
    assert spec["layout"]["title"]["text"]
    assert figure.layout.paper_bgcolor == ("#16181C" if dark else "#FFFFFF")
    used = set(re.findall(r"#[0-9A-Fa-f]{6}", json.dumps(spec["data"])))
    neutral = {_figure.ink(dark), _figure.ink(dark, faint=True), figure.layout.paper_bgcolor}
    assert used <= set(_figure.colours(dark)) | neutral


def hostile():
    """The sources again, with marks of plotly's in the names of classes, columns and values."""
    odd = {"home": "<i>home", "intensive": "<i>in<br>", "ward": '<a href="x">w</a><i>'}
    y = np.array([odd[v] for v in Y])
    x = X.rename(columns=lambda name: f"<i>{name}</i>")
    x["<i>sex</i>"] = "<i>" + x["<i>sex</i>"].astype(str)
    two = np.where(TRUTH == 1, "<i>ill", "<i>well")
    three = bf.evaluate(bf.NaiveBayes(loss=LOSS, reject_cost=0.6), x, y, folds=5)
    pair = bf.evaluate(bf.NaiveBayes(loss=[[0, 1], [8, 0]]), x, two, folds=5)
    clf = bf.NaiveBayes().fit(x, y)
    arcs = bf.learn_network(pd.DataFrame({"<i>sex": x["<i>sex</i>"], "<br>place": y}), bootstrap=5)
    return dict.fromkeys(("calibration", "confusion", "precision_recall", "roc"), (three,)) | {
        "arc_strengths": (arcs,),
        "cost_curve": (pair,),
        "densities": (clf,),
        "learning_curve": (bf.NaiveBayes(), x, y),
        "network": (bf.TAN().fit(x, y),),
        "nomogram": (bf.NaiveBayes().fit(x, two),),
        "search_path": (arcs,),
        "two_networks": (arcs, arcs),
        "waterfall": (clf.explain(x)[0],),
    }


def test_names_are_never_read_as_marks(tmp_path):
    sources = hostile()
    assert set(sources) == set(plots.names())
    for name, source in sources.items():
        drawn = plots.find(name).draw(plots.find(name).data(*source))
        texts = json.dumps(drawn)
        assert "<i>" not in texts, name
        assert "<a" not in texts, name
        path = plots.save(drawn, tmp_path / f"{name}.html")
        title = re.search("<title>(.*?)</title>", path.read_text(encoding="utf-8"))[1]
        assert "&amp;lt;" not in title


@every
def test_a_picture_is_there_as_an_attribute(name):
    assert getattr(plots, name) is plots.find(name)


def test_unknown_pictures_and_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no picture 'pie'; there are arc_strengths"):
        plots.plot("pie")
    with pytest.raises(AttributeError):
        _ = plots.pie
    figure = plots.plot("roc", *SOURCES["roc"])
    with pytest.raises(ValueError, match=r"'\.jpeg'.*\.html, \.png"):
        plots.save(figure, tmp_path / "roc.jpeg")


@pytest.mark.parametrize("dark", [False, True])
def test_a_saved_page_needs_no_network(tmp_path, dark):
    path = plots.save(plots.plot("roc", *SOURCES["roc"], dark=dark), tmp_path / "roc.html")
    page = path.read_text(encoding="utf-8")
    assert not re.findall(r"<(?:script|link)[^>]*(?:src|href)=", page)
    assert "Hits against false alarms" in page
    assert f"background:{'#16181C' if dark else '#FFFFFF'}" in page


@every
@pytest.mark.parametrize("dark", [False, True])
def test_what_is_drawn_is_saved_as_its_plotly_figure_is(name, dark, tmp_path):
    picture = plots.find(name)
    drawn = picture.draw(picture.data(*SOURCES[name]), dark=dark)
    assert json.loads(json.dumps(drawn, allow_nan=False)) == drawn
    figure = plots.plot(name, *SOURCES[name], dark=dark)
    assert (
        figure.to_plotly_json()
        == figure.__class__(drawn | {"layout": drawn["layout"] | {"template": {}}}).to_plotly_json()
    )
    page = plots.save(drawn, tmp_path / "drawn.html").read_text(encoding="utf-8")
    assert drawn["layout"]["title"]["text"].split("<")[0] in page


def test_without_kaleido_a_static_file_says_what_to_install(tmp_path, monkeypatch):
    figure = plots.plot("roc", *SOURCES["roc"])
    monkeypatch.setattr(type(figure), "write_image", lambda *_, **__: (_ for _ in ()).throw(ValueError("no kaleido")))
    with pytest.raises(RuntimeError, match=r"kaleido.*or save as \.html"):
        plots.save(figure, tmp_path / "roc.png")


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium to draw with")
def test_a_picture_is_drawn_as_a_static_file(tmp_path):
    figure = plots.plot("roc", *SOURCES["roc"])
    path = plots.save(figure, tmp_path / "roc.png")
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert tuple(int.from_bytes(head[i : i + 4], "big") for i in (16, 20)) == (
        2 * figure.layout.width,
        2 * figure.layout.height,
    )


def test_numbers_need_no_plotly():
    code = (
        "import sys; sys.modules['plotly'] = None; import numpy as np; from bayesfold import plots\n"
        "numbers = plots.roc.data((['a', 'b'], np.array([[0.7, 0.3], [0.2, 0.8]]), ['a', 'b']))\n"
        "print(numbers[0].area)\n"
        "figure = plots.roc.draw(numbers)\n"
        "try: plots.save(figure, 'roc.html')\n"
        "except ImportError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert said == "1.0\npictures are drawn by plotly: pip install 'bayesfold[plot]'\n"


def test_names_that_begin_alike_are_told_apart():
    one, two = (_figure.shorten(f"respiration per minute, at rest, visit {k}") for k in (1, 2))
    assert one != two
    assert len(one) <= _figure.LONGEST_NAME
