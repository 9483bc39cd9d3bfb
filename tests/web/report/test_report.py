"""The report: every model has one, it is one whole page, and what it says is what the model says."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from tests.web.page.browser import needs_browser, shared_browser, stop_browser

from bayesfold.data.frame import Frame, code
from bayesfold.decisions.compare import judge
from bayesfold.decisions.decide import decide_places
from bayesfold.decisions.loss import loss_matrix
from bayesfold.decisions.never_seen import as_new
from bayesfold.learning.kinds import find, names
from bayesfold.learning.trained import train
from bayesfold.web import report


@pytest.fixture(scope="module", autouse=True)
def _browser_of_the_module():
    yield
    stop_browser()


def rows(n=120, seed=0, classes=("cat", "dog")):
    """A frame with holes and a hostile name, and labels."""
    draw = np.random.default_rng(seed)
    k = draw.integers(len(classes), size=n)
    coat = np.where(draw.random(n) < 0.7, np.array(["short", "<b>long</b>", "curly"])[k % 3], "none").astype(object)
    coat[::9] = None
    mass = draw.normal(5 + 10 * k, 4)
    mass[::11] = np.nan
    frame = Frame.of({"</script><h1>coat": coat.tolist(), "mass": mass, "age": draw.integers(1, 9, size=n)})
    return frame, code([classes[i] for i in k])


def subject(kind="naive", classes=("cat", "dog"), learned=False, weight=None, **settings):
    """A model of rows, judged on others, which may weigh differently."""
    frame, labels = rows(classes=classes)
    trained = train(find(kind)(**settings), frame, labels, "pet")
    if not learned:
        frame, labels = rows(60, 1, classes)
    log_p = trained.log_proba(frame)
    known = trained.model_.classes
    truth = np.array([known.index(labels.levels[i]) for i in labels.index])
    loss = None if trained.loss is None else loss_matrix(trained.loss, list(known))
    never = {"m": as_new(truth, np.arange(len(known)), trained.unseen_share_)}
    given = (known, truth, {"m": np.exp(log_p)}, {"m": decide_places(trained, log_p)}, loss, trained.reject_cost)
    found = judge(*given, weight, never_seen=never)
    return report.Subject(
        trained, "m.bayes", frame, labels, log_p, found, "later.csv", "somehow", learned, np.arange(frame.rows), "today"
    )


class Balanced(HTMLParser):
    """Counts tags that are opened and not closed."""

    VOID = ("meta", "br", "img", "link", "input")

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(page):
    """The page without plotly's script, checked to be well formed."""
    reader = Balanced()
    reader.feed(re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL))
    assert reader.open == []
    return reader


@pytest.mark.parametrize("kind", [name for name in names() if name != "text"])
def test_every_kind_of_model_has_a_report(kind):
    page = report.page(subject(kind)).decode()
    found = parsed(page)
    assert {link[1:] for link in found.links} <= set(found.ids)
    for words in ("Scores", "Data", "Answers", "Columns", "Structure", "Worst mistakes", "Origin", "mass"):
        assert words in page
    assert "<h1>coat" not in page.split('id="figures"')[0]
    assert "http://" not in re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)


def test_figures_are_drawn_light_and_dark_and_each_has_its_place():
    page = report.page(subject()).decode()
    figures = json.loads(re.search(r'id="figures">(.*?)</script>', page, re.DOTALL)[1])
    assert len(figures) == page.count('class="figure"') >= 4
    for figure in figures:
        assert figure["light"]["layout"]["paper_bgcolor"] != figure["dark"]["layout"]["paper_bgcolor"]
        assert figure["light"]["layout"]["width"] <= 1000


def test_costs_and_rejecting_are_told():
    loss = {"cat": {"dog": 9}, "dog": {"cat": 1}}
    page = report.page(subject(loss=loss, reject_cost=0.4)).decode()
    assert "What decisions cost" in page
    assert "Leaving a row undecided costs 0.4" in page
    plain = report.page(subject()).decode()
    assert "No costs were given" in plain


def test_the_worst_mistakes_are_the_rows_with_the_least_probability_for_their_class():
    about = subject(classes=("cat", "dog", "fox"))
    page = report.page(about).decode()
    wrong = np.flatnonzero(about.decision != about.judgement.truth)
    worst = wrong[np.argsort(about.proba[wrong, about.judgement.truth[wrong]])[0]]
    section = page.split('id="mistakes"')[1].split("</section>")[0]
    assert re.search(r"<tbody><tr><td[^>]*>(\d+)</td>", section)[1] == str(worst + 1)
    assert f"{len(wrong)} of {about.frame.rows} rows" in section


def test_the_numbers_on_the_cards_are_those_of_the_judgement():
    about = subject()
    page = report.page(about).decode()
    for name, measure in about.judgement.scores["m"].items():
        assert f'<div class="what">{name}</div><div class="number">{measure.value:.3f}</div>' in page


@pytest.mark.parametrize("unseen", [None, 0.3])
def test_the_numbers_in_the_pictures_are_those_on_the_cards(unseen):
    """Also where rows weigh differently, and where something is left to classes never seen."""
    weight = np.where(np.arange(60) % 7 == 0, 20.0, 1.0)
    about = subject(weight=weight, loss=[[0, 1], [9, 0]], unseen_class=unseen)
    page = report.page(about).decode()
    scores = about.judgement.scores["m"]
    assert f"the model, error {scores['ECE'].value:.3f}" in page
    assert f"dog, area {scores['AUC'].value:.3f}" in page
    assert re.search(rf"implied by the loss: 0.900 costs {scores['cost'].value:.4g}\b", page)


def test_many_classes_are_told_in_few_lines():
    """The most frequent classes are drawn, the others unfold, and pairs take the place of confusion's picture."""
    classes = tuple(f"kind {k:02d}" for k in range(20))
    page = report.page(subject(classes=classes)).decode()
    assert "8 less frequent classes</summary>" in page
    assert "Frequent confusions" in page
    assert "of the 20 classes the 6 most frequent ones" in page
    drawn = json.loads(re.search(r'id="figures">(.*?)</script>', page, re.DOTALL)[1])
    densities = next(f["light"] for f in drawn if f["light"]["layout"]["title"]["text"] == "P(value | class)")
    assert len({trace["name"] for trace in densities["data"]}) == 6


def test_the_page_begins_with_a_plain_sentence():
    about = subject()
    page = report.page(about).decode()
    found = about.judgement.scores["m"]["accuracy"]
    lead = re.search(r'<p class="lead">(.*?)</p>', page)[1]
    assert lead.startswith(f"Right for {found.value * 100:.0f} % of the rows (95 % interval: ")
    assert "always guessing the most frequent class gives" in lead
    assert (
        "do worse on new ones"
        in re.search(r'<p class="lead">(.*?)</p>', report.page(subject(learned=True)).decode())[1]
    )
    assert "do worse" not in lead


def test_the_structure_calls_the_class_by_its_column():
    for kind in ("tan", "naive", "bayes"):
        structure = report.page(subject(kind)).decode().split("<h3>Structure</h3>")[1].split("</section>")[0]
        assert "pet" in structure
        assert "| class" not in structure
        assert "P(class)" not in structure


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_on_a_telephone(tmp_path, width):
    path = tmp_path / "report.html"
    path.write_bytes(report.page(subject("tan")))
    page = shared_browser().new_page(viewport={"width": width, "height": 844})
    page.goto(path.as_uri())
    page.wait_for_selector(".js-plotly-plot")
    wide, *drawn = page.evaluate(
        "[document.documentElement.scrollWidth, ...[...document.querySelectorAll('.figure')]"
        ".map(e => [e.getAttribute('aria-label'), e.getBoundingClientRect().width])]"
    )
    cells = page.evaluate("[...document.querySelectorAll('td')].filter(e => e.textContent).map(e => e.clientWidth)")
    page.close()
    assert wide <= width
    assert all(room <= width for _, room in drawn), drawn
    assert min(cells) > 20


@pytest.mark.slow
@needs_browser
def test_long_names_of_classes_stay_inside_their_cards_on_a_telephone(tmp_path):
    path = tmp_path / "report.html"
    path.write_bytes(report.page(subject("naive", classes=("w" * 60, "x" * 60))))
    page = shared_browser().new_page(viewport={"width": 390, "height": 844})
    page.goto(path.as_uri())
    page.wait_for_selector(".js-plotly-plot")
    over = "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.slice(0, 40))"
    found = page.eval_on_selector_all("table.many td", over)
    page.close()
    assert found == []
