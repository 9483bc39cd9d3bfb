"""Files found by their name."""

import subprocess
import sys
from pathlib import Path

import pytest

from bayesfold.runtime.registry import Plugs

FORMATS = Plugs("bayesfold.networks.formats", "network format")


def test_a_folder_that_joins_the_package_brings_its_plugs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dot.py").write_text('SUFFIXES = (".dot",)\n')
    (tmp_path / "_shared.py").write_text("")
    package = __import__("bayesfold.networks.formats", fromlist=["formats"])
    before = FORMATS.names()
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    assert FORMATS.names() == sorted([*before, "dot"])
    try:
        assert FORMATS.for_path("a.dot.gz", ignored=(".gz",)).SUFFIXES == (".dot",)
    finally:
        sys.modules.pop("bayesfold.networks.formats.dot", None)


def test_names_are_known_without_loading_the_package() -> None:
    code = (
        "import sys; from bayesfold.runtime.registry import Plugs;"
        "names = Plugs('bayesfold.families', 'family').names();"
        "print('gaussian' in names, 'bayesfold.families' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "True False False\n"


def test_a_name_that_is_none_is_answered_with_the_nearest_and_with_all() -> None:
    with pytest.raises(ValueError, match=r"no network format 'BIFF'; did you mean 'bif'\? There are bif, json"):
        FORMATS.load("BIFF")
    with pytest.raises(ValueError, match="no network format 'qqq'; there are bif, json"):
        FORMATS.load("qqq")
    with pytest.raises(ValueError, match=r"'a\.txt' does not end like any network format; .*\.bif.*each with \.gz"):
        FORMATS.for_path("a.txt", ignored=(".gz",))
