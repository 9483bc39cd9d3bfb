"""Questions as people write them."""

import json

import pytest

import bayesfold as bf
from bayesfold.cli._networks import answer_as_json
from bayesfold.networks.query import Query, read_query

AXES = {
    "lung": ("yes", "no"),
    "smoke": ("yes", "no"),
    "dose": (1, 2),
    "a b": ("x|y", "p, q"),
    "k=v": (">=5", "<5"),
    "P": (0, 1),
    '6" of "it\'s"': ('a "b"', "c'd"),
}


def asked(targets, events=None, evidence=None, do=None):
    return Query(targets, events or {}, evidence or {}, do or {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lung", asked(("lung",))),
        ("lung | smoke=yes, dose=2", asked(("lung",), {}, {"smoke": "yes", "dose": 2})),
        (" P ( lung , smoke |dose = 1 )", asked(("lung", "smoke"), {}, {"dose": 1})),
        ("lung=yes | smoke=no", asked((), {"lung": "yes"}, {"smoke": "no"})),
        ("P(lung, dose=1 | smoke='no')", asked(("lung",), {"dose": 1}, {"smoke": "no"})),
        ("lung | do(smoke=yes, dose=1), P=0", asked(("lung",), {}, {"P": 0}, {"smoke": "yes", "dose": 1})),
        ('"a b" | lung=yes', asked(("a b",), {}, {"lung": "yes"})),
        ('lung | a b="x|y", k=v=>=5', asked(("lung",), {}, {"a b": "x|y", "k=v": ">=5"})),
        ("lung | a b='p, q'", asked(("lung",), {}, {"a b": "p, q"})),
        ('"k=v"', asked(("k=v",))),
        ("P('k=v', lung | dose=1)", asked(("k=v", "lung"), {}, {"dose": 1})),
        ("lung | 'k=v' = '>=5'", asked(("lung",), {}, {"k=v": ">=5"})),
        ('lung | do("k=v"="<5")', asked(("lung",), {}, {}, {"k=v": "<5"})),
        ("""'6" of "it''s"'""", asked(('6" of "it\'s"',))),
        ("""P("6"" of ""it's""\" | lung=yes)""", asked(('6" of "it\'s"',), {}, {"lung": "yes"})),
        ("""lung | '6" of "it''s"'='a "b"', dose=1""", asked(("lung",), {}, {'6" of "it\'s"': 'a "b"', "dose": 1})),
        ("""lung | "6"" of ""it's""\"="a ""b""\"""", asked(("lung",), {}, {'6" of "it\'s"': 'a "b"'})),
        ("P", asked(("P",))),
        ("P(P)", asked(("P",))),
        ("", asked(())),
        ("lung |", asked(("lung",))),
    ],
)
def test_what_is_written_is_understood(text, expected):
    assert read_query(text, AXES) == expected


def test_evidence_may_also_come_beside_the_text():
    assert read_query("lung | smoke=yes", AXES, {"dose": "2"}) == read_query("lung | smoke=yes, dose=2", AXES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lng", "in 'lng': there is no variable 'lng'; did you mean 'lung'"),
        ("lung | smoke=yess", "'smoke' has no state 'yess'; did you mean 'yes'"),
        ("lung | smoke", "'smoke' stands behind '|' without a state: write smoke=yes"),
        ("lung | smoke=yes | dose=1", "more than one '|'"),
        ("lung, lung", "'lung' is named twice"),
        ("lung | lung=yes", "'lung' is named twice"),
        ("lung | smoke=yes, do(smoke=no)", "'smoke' is named twice"),
        ("lung | do(smoke)", "without a state"),
    ],
)
def test_errors_name_what_is_wrong(text, message):
    with pytest.raises(ValueError, match=message.replace("|", r"\|")):
        read_query(text, AXES)


def test_evidence_beside_the_text_is_checked_too():
    with pytest.raises(ValueError, match="no variable 'dos'; did you mean 'dose'"):
        read_query("lung", AXES, {"dos": 1})
    with pytest.raises(ValueError, match="'dose' is named twice"):
        read_query("lung | dose=1", AXES, {"dose": 1})


NET = bf.read_network("smoking")


def test_an_answer_says_that_soft_evidence_was_given():
    unsure = {"xray": [0.7, 0.2]}
    answer = NET.query("cancer, smoking", likelihood=unsure)
    assert answer.title() == "P(cancer, smoking | likelihood of xray)"
    assert answer.sum("smoking").title() == "P(cancer | likelihood of xray)"
    assert answer.given == {"likelihood of xray": {"abnormal": 0.7, "normal": 0.2}}
    assert str(answer).startswith(answer.title())
    both = NET.query("cancer=yes | dyspnoea=yes, do(bronchitis=no)", likelihood=unsure)
    assert both.title() == "P(cancer=yes | dyspnoea=yes, do(bronchitis=no), likelihood of xray)"
    assert json.loads(json.dumps(answer_as_json(answer)))["given"] == answer.given
    assert NET.query("cancer").title() == "P(cancer)"


def test_an_answer_says_what_was_set_and_what_was_asked():
    answer = NET.query("cancer, xray | dyspnoea=yes, do(bronchitis=no)")
    assert answer.title() == "P(cancer, xray | dyspnoea=yes, do(bronchitis=no))"
    assert answer.sum("xray").title() == "P(cancer | dyspnoea=yes, do(bronchitis=no))"
    event = NET.query("cancer=yes | dyspnoea=yes")
    assert (event.title(), event.given) == ("P(cancer=yes | dyspnoea=yes)", {"dyspnoea": "yes"})
    derived = NET.derivation("cancer | do(smoking=yes), dyspnoea=yes")
    head = "P(cancer | dyspnoea=yes, do(smoking=yes)) ∝ P(cancer, dyspnoea=yes | do(smoking=yes))"
    assert str(derived).startswith(head)
    assert derived.answer == NET.query("cancer | do(smoking=yes), dyspnoea=yes")
    roughly = NET.approximate("cancer | do(smoking=yes)", random_state=0)
    assert "do(smoking=yes)" in str(roughly)


def test_a_variable_is_given_once_as_a_dict_or_as_a_keyword():
    """The keyword would win without a word."""
    net = bf.read_network("smoking")
    for ask in (
        lambda: net.query("cancer", evidence={"smoking": "yes"}, smoking="no"),
        lambda: net.approximate("cancer", evidence={"smoking": "yes"}, smoking="no"),
        lambda: net.do({"smoking": "yes"}, smoking="no"),
        lambda: net.joint().condition({"smoking": "yes"}, smoking="no"),
    ):
        with pytest.raises(ValueError, match="'smoking' is named twice"):
            ask()
    for ask in (lambda: net.query("cancer", evidence=[("smoking", "yes")]), lambda: net.do([("smoking", "yes")])):
        with pytest.raises(TypeError, match="states are given as a dict"):
            ask()
