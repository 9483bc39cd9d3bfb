"""What evaluate says of rows that it does not score."""

from tests.cli.process import call

ROWS = [f"{i % 7},{'pq'[i * i % 5 % 2]},{i % 4}" for i in range(60)]


def test_rows_that_weigh_nothing_are_counted(tmp_path):
    (tmp_path / "t.csv").write_text("\n".join(["n,y,w", *ROWS, "3,,1"]) + "\n")
    call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive", "--weight", "w", "-o", "m.bayes")
    said = call(tmp_path, "evaluate", "m.bayes", "t.csv", "--weight", "w").stdout.splitlines()[0]
    assert said == "t.csv: 45 rows (1 row without a class put aside, 15 rows of weight 0 put aside), scored as new rows"


def test_where_no_row_weighs_anything_that_is_said(tmp_path):
    (tmp_path / "t.csv").write_text("\n".join(["n,y,w", *ROWS]) + "\n")
    call(tmp_path, "fit", "t.csv", "-t", "y", "-m", "naive", "-o", "m.bayes")
    (tmp_path / "o.csv").write_text("n,y,w\n1,p,0\n2,q,0\n")
    for words in (["evaluate", "m.bayes", "o.csv"], ["report", "m.bayes", "o.csv", "-o", "r.html"]):
        said = call(tmp_path, *words, "--weight", "w", code=1).stderr
        assert "every row weighs 0, so there is nothing to score; give weights above 0, or none" in said
