"""A model file that is replaced is read again, and no request is lost; a damaged one changes nothing."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from time import sleep

from tests.web.server.serving import PERSON, ask, patients, running, saved

from bayesfold.web.server import reload
from bayesfold.web.server.metrics import Metrics
from bayesfold.web.server.reload import refresh
from bayesfold.web.server.shelf import make_shelf, read_entry


def test_a_replaced_file_is_read_and_an_unchanged_one_is_not(tmp_path):
    path = saved(tmp_path)
    shelf, metrics = make_shelf((str(path),)), Metrics()
    before = shelf.find("patients")
    assert refresh(shelf, metrics) == []
    saved(tmp_path, seed=1)
    assert refresh(shelf, metrics) == ["patients"]
    assert shelf.find("patients").version == 2
    assert shelf.find("patients").trained is not before.trained
    assert refresh(shelf, metrics) == []


def test_a_damaged_or_missing_file_leaves_the_model_as_it_is(tmp_path):
    path = saved(tmp_path)
    shelf, metrics = make_shelf((str(path),)), Metrics()
    before = shelf.find("patients").trained
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert refresh(shelf, metrics) == []
    assert shelf.find("patients").trained is before
    assert refresh(shelf, metrics) == []  # it is not tried again before it changes
    assert metrics.reloads["patients", "failed"] == 1
    path.unlink()
    assert refresh(shelf, metrics) == []
    path.write_bytes(whole)
    assert refresh(shelf, metrics) == ["patients"]


def test_a_file_replaced_under_load_loses_no_request(tmp_path):
    path = saved(tmp_path)
    expected = {round(max(answer(patients(seed=s))), 12) for s in (0, 1)}
    seen, stop = set(), Event()
    with running(path, seconds_between_looks=0.02) as client, ThreadPoolExecutor(4) as pool:

        def keep_asking():
            while not stop.is_set():
                found = ask(client, "models/patients/predict", {"row": PERSON})
                seen.add(round(max(found["probabilities"]), 12))

        workers = [pool.submit(keep_asking) for _ in range(4)]
        for k in range(10):
            saved(tmp_path, seed=(k + 1) % 2)
            sleep(0.05)
        for _ in range(200):
            if seen == expected:
                break
            sleep(0.02)
        stop.set()
        for worker in workers:
            worker.result()
        assert 'result="read"' in client.get("/api/v1/metrics").text
    assert seen == expected


def answer(trained):
    """P(class | person) by a model of this process."""
    import numpy as np

    return np.exp(trained.log_proba([PERSON])[0]).tolist()


def test_a_file_that_is_finished_while_it_is_refused_is_read_the_next_time(tmp_path, monkeypatch):
    path = saved(tmp_path)
    shelf, metrics = make_shelf((str(path),)), Metrics()
    whole = saved(tmp_path, seed=1).read_bytes()
    path.write_bytes(whole[:100])

    def read_half(entry, of):
        path.write_bytes(whole)  # whoever writes it is ready in this moment
        raise ValueError("there is but half of it")

    with monkeypatch.context() as patch:
        patch.setattr(reload, "read_again", read_half)
        assert refresh(shelf, metrics) == []
    assert refresh(shelf, metrics) == ["patients"]


def test_a_model_that_has_changed_while_its_file_was_read_stays(tmp_path, monkeypatch):
    path = saved(tmp_path)
    shelf, metrics = make_shelf((str(path),)), Metrics()
    saved(tmp_path, seed=1)
    newer = read_entry(str(saved(tmp_path, "newer", seed=2)))
    read = reload.read_again

    def read_slowly(entry, of):
        fresh = read(entry, of)
        shelf.swap(replace(newer, name="patients"))  # a request has learned rows
        return fresh

    monkeypatch.setattr(reload, "read_again", read_slowly)
    assert refresh(shelf, metrics) == []
    assert shelf.find("patients").trained is newer.trained
    assert shelf.find("patients").version == 2


def test_whatever_a_file_does_the_others_are_looked_at(tmp_path, monkeypatch):
    """One error that nobody thought of must not end the looking."""
    first, second = saved(tmp_path), saved(tmp_path, "second")
    shelf, metrics = make_shelf((str(first), str(second))), Metrics()
    saved(tmp_path, seed=1), saved(tmp_path, "second", seed=1)
    read = reload.read_again

    def read_or_fail(entry, of):
        if entry.name == "patients":
            raise RecursionError("too deep")
        return read(entry, of)

    monkeypatch.setattr(reload, "read_again", read_or_fail)
    assert refresh(shelf, metrics) == ["second"]
    assert metrics.reloads["patients", "failed"] == 1
