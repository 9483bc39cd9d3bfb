"""A network is changed in a copy, which is changed further, saved, and removed."""

import pytest
from tests.web.server.serving import ask, problem, running

import bayesfold as bf


def test_a_copy_is_changed_and_saved(tmp_path):
    with running("smoking") as server:
        arc = {"action": "remove", "parent": "smoking", "child": "xray"}
        first = ask(server, "models/smoking/edit", {"tables": {"smoking": [[0.5, 0.5]]}, "arcs": [arc]})
        assert first["model"] == "smoking (edited)"
        assert ask(server, "models/smoking/beliefs", {})["beliefs"]["smoking"] == pytest.approx([0.3, 0.7])
        name = "models/smoking%20(edited)"
        assert ask(server, f"{name}/beliefs", {})["beliefs"]["smoking"] == pytest.approx([0.5, 0.5])
        again = ask(server, f"{name}/edit", {"arcs": [{"action": "add", "parent": "smoking", "child": "xray"}]})
        assert again == {"model": "smoking (edited)", "version": first["version"] + 1}
        wrong = server.post(f"/api/v1/{name}/edit", json={"tables": {"smoking": [[0.5, 0.6]]}})
        assert problem(wrong) == (400, "not-possible")
        (tmp_path / "own.bif").write_bytes(server.get(f"/api/v1/{name}/file?format=bif").content)
        assert bf.read_network(tmp_path / "own.bif").query("smoking")["yes"] == pytest.approx(0.5)
        assert server.delete(f"/api/v1/{name}").status_code == 200
        assert problem(server.delete("/api/v1/models/smoking")) == (403, "forbidden")


def test_what_another_window_has_changed_is_not_changed_by_an_old_one():
    """Two windows show one copy: the table that the second sends is of parents that are no longer there."""
    with running("smoking") as server:
        arc = {"parent": "smoking", "child": "xray"}
        copy = ask(server, "models/smoking/edit", {"arcs": [{"action": "remove", **arc}], "version": 1})
        shown, path = copy["version"], "models/smoking%20(edited)"
        ask(server, f"{path}/edit", {"arcs": [{"action": "add", **arc}], "version": shown})
        before = ask(server, f"{path}/table?node=xray")
        late = server.post(f"/api/v1/{path}/edit", json={"tables": {"smoking": [[0.5, 0.5]]}, "version": shown})
        assert problem(late) == (409, "not-now")
        assert "has changed since it was shown; look again" in late.json()["detail"]
        assert ask(server, f"{path}/table?node=xray") == before
        assert ask(server, f"{path}/edit", {"arcs": [{"action": "remove", **arc}]})["version"] == shown + 2
