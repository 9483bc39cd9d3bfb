"""A model file that is replaced is read again, and no request is lost; a damaged one changes nothing."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep

from tests.web.server.serving import PERSON, ask, patients, running, saved

from bayesfold.web.server.metrics import Metrics
from bayesfold.web.server.reload import refresh
from bayesfold.web.server.shelf import make_shelf


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
