"""d-separation over HTTP."""

from tests.web.server.serving import ask, problem, running


def test_paths_come_with_the_nodes_that_block_them():
    with running("smoking") as server:
        sides = {"a": ["cancer"], "b": ["bronchitis"]}
        given = ask(server, "models/smoking/dsep", {**sides, "given": ["smoking"]})
        assert given["independent"]
        assert [step["node"] for step in given["paths"][0]["steps"] if not step["open"]] == ["smoking"]
        both = ask(server, "models/smoking/dsep", {**sides, "given": ["smoking", "dyspnoea"]})
        assert not both["independent"]
        assert both["separator"] == ["smoking"]
        same = server.post("/api/v1/models/smoking/dsep", json={"a": ["cancer"], "b": ["cancer"]})
        assert problem(same) == (400, "not-possible")
