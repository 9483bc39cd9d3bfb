"""The site builds without a warning, leads nowhere that is not there, and fetches nothing from elsewhere."""

import re
import subprocess
import sys

import pytest
from website import pictures
from website.contents import DOCS, ROOT, TOUR
from website.links import dead
from website.reference import SUBJECTS, names_of

import bayesfold


@pytest.mark.slow
def test_the_site_builds_and_is_whole(tmp_path):
    site = tmp_path / "site"
    subprocess.run([sys.executable, "-m", "website", str(site)], check=True, cwd=ROOT)
    assert (site / "searchindex.js").exists()
    for page in DOCS.rglob("*.md"):
        assert (site / page.relative_to(DOCS).with_suffix(".html")).exists(), page
    reference = "".join(page.read_text(encoding="utf-8") for page in (site / "reference").glob("*.html"))
    for name in bayesfold.__all__:
        assert f'id="bayesfold.{name}"' in reference or f'id="module-bayesfold.{name}"' in reference, name
    assert 'lang="zh-CN"' in (site / "zh" / "index.html").read_text(encoding="utf-8")
    assert 'lang="en"' in (site / "index.html").read_text(encoding="utf-8")
    for style in site.rglob("*.css"):
        assert re.findall(r"(?:@import|url\()\s*['\"]?(?:https?:)?//", style.read_text(encoding="utf-8")) == [], style


def test_a_dead_link_is_noticed(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#there"></a><a href="b.html#not"></a><a href="c.html"></a>')
    (tmp_path / "b.html").write_text('<p id="there"></p><script src="https://host.example/x.js"></script>')
    assert dead(tmp_path) == [
        "a.html links to b.html#not, and there is no such place on that page",
        "a.html links to c.html, which is not there",
        "b.html fetches https://host.example/x.js",
    ]


def test_every_public_name_has_its_place_in_the_reference():
    listed = [name for page in SUBJECTS for name in names_of(page)]
    assert sorted(listed) == sorted(bayesfold.__all__)


def test_the_pictures_are_those_that_the_library_draws():
    """After a change of the numbers in them: python -m website.pictures."""
    for name, drawing in pictures.every().items():
        assert (pictures.FOLDER / name).read_text(encoding="utf-8") == drawing, name


def test_the_tour_is_there_in_both_languages():
    for page in TOUR:
        assert (DOCS / "tour" / f"{page}.md").exists()
        assert (DOCS / "zh" / "tour" / f"{page}.md").exists()
