"""bayesfold serve, as a process: it says where it is, answers, and stops when told, having answered."""

import re
import signal
import subprocess
import sys
import urllib.request

import pytest
from tests.cli.process import run
from tests.web.server.serving import saved


def started(*arguments, command="serve"):
    """The process, and the address that it prints."""
    command = [sys.executable, "-m", "bayesfold.cli", command, *map(str, arguments), "--no-open", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    assert line, process.stderr.read()
    return process, line.strip()


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_answers_and_stops_when_told(tmp_path, how):
    process, address = started(saved(tmp_path), "smoking")
    try:
        with urllib.request.urlopen(f"{address}api/v1/health") as response:
            assert b'"models":["patients","smoking"]' in response.read()
        process.send_signal(how)
        process.wait(30)
        assert process.returncode == 0
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.wait(30)
        process.stdout.close()
        process.stderr.close()


def test_a_table_is_there_to_be_learned(tmp_path):
    (tmp_path / "pets.csv").write_text("coat,pet\nshort,cat\nlong,dog\n")
    process, address = started(tmp_path / "pets.csv", "--target", "pet")
    try:
        assert address.endswith("/#view=learn&target=pet")
        with urllib.request.urlopen(address.replace("#view=learn&target=pet", "api/v1/tables")) as response:
            assert b'"name":"pets.csv"' in response.read()
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()
        process.stderr.close()
    assert (tmp_path / "pets.csv").exists()


@pytest.mark.slow
def test_the_demonstration_has_networks_a_model_and_a_table():
    process, address = started("--web", command="demo")
    try:
        with urllib.request.urlopen(f"{address}api/v1/health") as response:
            assert b'"models":["smoking","patients",' in response.read()
        with urllib.request.urlopen(f"{address}api/v1/tables") as response:
            assert b'"name":"later-patients.csv"' in response.read()
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()
        process.stderr.close()


@pytest.mark.slow
def test_what_cannot_be_served_is_said_in_one_line(tmp_path):
    for arguments, said in (
        (["serve"], "name at least one file"),
        (["serve", "smoking", "--target", "y"], "no file is a table"),
        (["serve", "no.csv"], "there is no file no.csv"),
        (["serve", "no.bayes"], "there is no file no.bayes"),
        (["serve", "smoking", "--workers", "2", "--writable"], "leave out --writable, or --workers"),
        (["serve", "smoking", "--host", "999.1.1.1", "--no-open"], "cannot listen at 999.1.1.1"),
    ):
        refused = run(tmp_path, *arguments, code=1)  # a process with a limit: one that serves after all would not end
        assert said in re.sub(r"\s+", " ", refused.stderr)


def test_a_short_token_is_refused(tmp_path):
    (tmp_path / "token").write_text("short\n")
    assert "at least 16" in run(tmp_path, "serve", "smoking", "--token-file", "token", "--no-open", code=1).stderr
