"""The bench: every function held to what the command writes with --json on the same cases."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import BYTES, ROOT, SCALED, WGMMA, command

import assay
from assay._bench import _command

NARROW = f"model:{ROOT}/configs/datapath/fused_f23.yaml"


def dumps(report):
    return json.dumps(report)


def untimed(report):
    """Without what is measured, and without the command's exit status."""
    report = dict(report)
    report.pop("cases_per_second", None)
    report["summary"] = {name: value for name, value in report["summary"].items() if name != "status"}
    return report


def test_explain(wgmma):
    operands = np.uint16([0x3C00]), np.uint16([0x3C00]), np.uint32(0xBF7FFFFF)
    words = ["explain", "--json", "--instruction", WGMMA, "--a", "3c00", "--b", "3c00", "--c", "bf7fffff"]
    found = wgmma.explain(*operands)
    assert found == command(*words) and found.passed
    held = wgmma.explain(*operands, device=NARROW)
    assert held == command(*words, "--device", NARROW)
    assert not held.passed and held.message == "The two devices' d differ, or one of them gave none."


def test_an_explanation_is_drawn(wgmma):
    page = wgmma.explain([1.0, 3.0], [1.0, 0.5], np.uint32(0xBF7FFFFF), device=wgmma.with_(F=20))._repr_html_()
    assert "<svg" in page and "step[0].sum.align[16]" in page and "the sides part at step[0].sum.align[16]" in page
    assert "Every place is zero" in wgmma.explain([0.0], [0.0])._repr_html_()
    assert wgmma.explain([np.nan], [0.0])._repr_html_().startswith("<style>")


def test_compare(wgmma):
    words = ["compare", "--json", "--instruction", WGMMA, "--cases", 400]
    assert untimed(wgmma.compare("oracle", cases=400)) == untimed(command(*words, "--device", "oracle"))
    found = wgmma.compare(NARROW, cases=400, seed=2, max_failures=2)
    assert untimed(found) == untimed(command(*words, "--device", NARROW, "--seed", 2, "--max-failures", 2))
    assert not found.passed and len(found.failures) == 2 and "418" not in str(found)
    assert found.failures[0].expected in found._repr_html_()


def test_a_function_and_a_unit_as_device(wgmma, scaled, integers):
    narrow = wgmma.with_(F=23)
    words = {"cases": 400, "max_failures": 1}
    by_name, by_function = wgmma.compare(NARROW, **words), wgmma.compare(narrow.dot, **words)
    by_unit = wgmma.compare(narrow, **words)
    assert by_name.summary.differs == by_function.summary.differs == by_unit.summary.differs > 0
    assert "assay-" not in dumps(by_unit) and "keep were 23" in str(by_unit)
    for unit in (wgmma, scaled, integers):
        assert unit.compare(unit.dot, cases=200).passed
    assert wgmma.compare(assay.instruction(WGMMA), cases=200).devices == f"model:{WGMMA} held to model"


def test_what_a_function_raises_is_told(integers):
    def raises(a, b, c):
        raise ValueError("no board is plugged in")

    found = integers.compare(raises, cases=10)
    assert not found.passed and found.summary.device_errors and "no board is plugged in" in dumps(found)
    for wrong, words in [
        (lambda a, b, c: c[:-1], "of shape"),
        (lambda a, b, c: c.astype(float), "The device gave float64"),
    ]:
        assert words in dumps(integers.compare(wrong, cases=10))


def test_check(wgmma, tmp_path):
    file = tmp_path / "recorded.jsonl"
    made = [_command(), "generate", "--with-results", "--cases", "200", "--instruction", WGMMA, "-o", str(file)]
    subprocess.run(made, check=True, capture_output=True)
    assert (
        untimed(assay.check(file)) == untimed(command("check", "--json", file)["files"][0]) and assay.check(file).passed
    )
    assert untimed(assay.check(file, device=NARROW)) == untimed(
        command("check", "--json", file, "--device", NARROW)["files"][0]
    )


def test_check_dots(wgmma):
    cases = wgmma.generate(300)
    d = np.array(wgmma.dot(**cases))
    assert wgmma.check(d, **cases, nan="bits").passed
    d[7] ^= 1
    found = wgmma.check(d, **cases, nan="bits", name="my unit")
    assert found.summary.differs == 1 and found.failures[0].case == 7 and found.devices == "my unit held to model"


@pytest.mark.parametrize("name", [WGMMA, SCALED, BYTES])
def test_generate(name, tmp_path):
    unit = assay.instruction(name)
    made = [_command(), "generate", "--with-results", "--cases", "120", "--seed", "3", "--instruction", name]
    lines = subprocess.run(made, check=True, capture_output=True, text=True).stdout.splitlines()[1:]
    written = [json.loads(line) for line in lines]
    cases = unit.generate(120, seed=3)
    d = unit.dot(**cases)
    for operand, array in [*cases.items(), ("d", d)]:
        theirs = [[int(x, 16) for x in np.atleast_1d(line[operand])] for line in written]
        assert np.array_equal(np.asarray(array).reshape(120, -1), theirs), operand
    some = unit.generate(20, seed=3, first=50)
    assert all(np.array_equal(some[operand], cases[operand][50:70]) for operand in cases)
    assert some.families == cases.families[50:70]
    by_family = cases.by_family()
    assert sum(len(arrays["c"]) for arrays in by_family.values()) == 120 and set(by_family) == set(unit.families)
    assert unit.generate(3, family=unit.families[1]).families == [unit.families[1]] * 3


def test_score(wgmma):
    report = wgmma.score(200)
    found = dict(report)
    theirs = command("score", "--json", "--instruction", WGMMA, "--cases", 200)["scores"][0]
    assert report.message == f"{report.open} of the unit's mutants were not killed, and may be." and report.open
    theirs.pop("status"), found.pop("json_version")
    assert found == theirs
    given = dict(wgmma.score(wgmma.generate(200)))
    assert (given["killed"], given["open"]) == (theirs["killed"], theirs["open"])


def test_coverage(wgmma):
    found = wgmma.coverage(200)
    assert found == command("coverage", "--json", "--instruction", WGMMA, "--cases", 200)
    assert wgmma.coverage(wgmma.generate(200)).points == found["points"]


def test_guarantee(wgmma):
    assert wgmma.guarantee(k=64) == command("guarantee", "--json", "--instruction", WGMMA, "--k", 64)


STUDY = {
    "study": "small",
    "title": "A small study",
    "datapath": "fused_f25",
    "operands": {"a": "f16", "b": "f16", "c": "f32", "d": "f32"},
    "k": 16,
    "axes": [{"name": "F", "set": ["adders.sum.add.product.keep", "adders.sum.add.acc.keep"], "values": [10, 20]}],
    "inputs": ["normal"],
    "shapes": {"m": 8, "n": 8, "k": 64},
    "seeds": 1,
}


def test_explore(tmp_path):
    study = assay.explore(STUDY, out=tmp_path / "out")
    (tmp_path / "study.yaml").write_text(json.dumps(STUDY))
    theirs = command("explore", tmp_path / "study.yaml", "--json", "--out", tmp_path / "theirs")
    assert study.rows == theirs["rows"] and len(study.rows) == 2
    assert study._repr_html_().startswith("<iframe srcdoc=") and "A small study" in study.page
    assert (tmp_path / "out" / "table.csv").exists()
    with pytest.raises(assay.Error, match="no study of that name is shipped"):
        assay.explore("nothing")


def test_a_command_that_is_none_is_refused(monkeypatch, tmp_path):
    no_program = tmp_path / "assay"
    no_program.write_text("no program\n", encoding="utf-8")
    for named in (str(tmp_path / "missing"), str(no_program), str(tmp_path)):
        monkeypatch.setenv("ASSAY_COMMAND", named)
        with pytest.raises(assay.Error, match=f"ASSAY_COMMAND is '{named}', which is no program; it names the command"):
            assay.explore(STUDY)
    for named, status in (("false", 1), ("true", 0), ("echo", 0)):
        monkeypatch.setenv("ASSAY_COMMAND", named)
        with pytest.raises(assay.Error, match=f"{named} ended with status {status} and printed no report; it has to be"):
            assay.explore(STUDY)


VOLTA = "volta:mma.m8n8k4.f32.f16.f16.f32"


def test_identify(tmp_path):
    unit = assay.instruction(VOLTA)
    words = ["identify", "--json", "--formats", "f16,f16,f32", "--k", 4, "--confirm", 300]
    found = assay.identify(f"model:{VOLTA}", formats="f16,f16,f32", k=4, confirm=300)
    assert found == command(*words, "--device", f"model:{VOLTA}") and found.passed and found.outcome == "found"
    narrow = unit.with_(F=21)
    asked = []

    def box(a, b, c):
        asked[-1] += len(c)
        return narrow.dot(a, b, c)

    runs = []
    for _ in range(2):  # what the file answers is not asked, but to see whether it is still answered alike
        asked.append(0)
        runs.append(unit.identify(box, confirm=300, answers=tmp_path / "answers.jsonl"))
    cases = narrow.generate(2000)
    assert np.array_equal(runs[0].unit.dot(**cases), narrow.dot(**cases))
    assert runs[1].classes == runs[0].classes and asked[1] < asked[0] / 2

    coin = np.random.default_rng(0)
    moody = unit.identify(lambda a, b, c: unit.dot(a, b, c) ^ coin.integers(0, 2, len(c), np.uint32), confirm=100)
    assert not moody.passed and moody.outcome in ("inconsistent", "no word")
    with pytest.raises(assay.Error, match="No one datapath was found"):
        _ = moody.unit

    def breaks(a, b, c):
        raise ValueError("no power")

    with pytest.raises(assay.Error, match="breaks gave no d to a question: .*no power"):
        unit.identify(breaks)


def test_identify_a_recording(tmp_path):
    file = tmp_path / "few.jsonl"
    subprocess.run(
        [_command(), "generate", "--instruction", VOLTA, "--cases", "20", "--with-results", "-o", file],
        check=True,
        capture_output=True,
    )
    found = assay.identify_file(file)
    assert found == command("identify", "--json", file) and found.outcome == "undecided" and found.next
    assert found.message == "Several datapaths agree with every answer."


def test_what_cannot_be_identified(wgmma):
    for make, words in [
        (lambda: assay.identify("oracle"), "Say the operands"),
        (lambda: assay.identify("oracle", formats="f16,f16,f32"), "Say the operands"),
        (lambda: wgmma.identify("oracle", formats="f16,f16,f32", k=16), "Say the operands"),
        (lambda: assay.identify("oracle", formats="f16,f17,f32", k=16), "f17"),
        (lambda: assay.identify("oracle", formats="f16,f16,f32", k=0), "k is 0"),
        (lambda: assay.identify(None, formats="f16,f16,f32", k=16), "Name the device"),
        (lambda: wgmma.identify("nothing"), "nothing"),
        (lambda: assay.identify_file("nothing.jsonl"), "nothing.jsonl"),
    ]:
        with pytest.raises(assay.Error, match=words):
            make()


def test_prove(tmp_path):
    (tmp_path / "unit.sv").write_text(
        "module unit (input logic [7:0] a_i, b_i, input logic [15:0] c_i, output logic [15:0] d_o);\n"
        "  assign d_o = 16'(signed'(a_i) * signed'(b_i)) + c_i;\nendmodule\n"
    )
    (tmp_path / "integers.yaml").write_text(
        "name: integers\nk: 1\noperands: {a: i8, b: i8, c: i16, d: i16}\nspecials: numbers\nadders:\n"
        "  - name: sum\n    add: {product: exact, acc: exact}\n    result: [{format: d, cut: toward_zero, overflow: wrap}]\n"
    )
    (tmp_path / "dut.yaml").write_text(
        "datapath: integers.yaml\nsources: [unit.sv]\ntop: unit\nhandshake: combinational\n"
        "ports: {a: {port: a_i, width: 8}, b: {port: b_i, width: 8}, c: c_i, d: d_o}\n"
    )
    proved = assay.prove(tmp_path / "dut.yaml")
    theirs = command("prove", tmp_path / "dut.yaml", "--json")["proofs"][0]
    assert proved.passed and proved.proofs[0].keys() == theirs.keys()
    assert proved.proofs[0].conclusion == theirs["conclusion"] == "proved: for all 2^32 operands d is the model's"
    wrong = (tmp_path / "unit.sv").read_text().replace("+ c_i", "- c_i")
    (tmp_path / "unit.sv").write_text(wrong)
    refuted = assay.prove(tmp_path / "dut.yaml", cases=200)
    assert not refuted.passed and refuted.proofs[0].answer == "refuted"
    with pytest.raises(assay.Error, match="nothing.yaml"):
        assay.prove(tmp_path / "nothing.yaml")


def test_fields_are_keys_and_attributes(wgmma):
    found = wgmma.guarantee()
    assert found.bounds[0].signs == found["bounds"][0]["signs"]
    with pytest.raises(AttributeError, match="no field 'nothing'; it has json_version"):
        _ = found.nothing
    again = pickle.loads(pickle.dumps(wgmma.compare(NARROW, cases=50)))
    assert not again.passed and again.summary.compared == 50


# --- Ctrl-C ---


def interrupted(work):
    """How long after the signal `work` came back, having raised KeyboardInterrupt."""
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.4, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()


def slowly(a, b, c):
    time.sleep(0.3)
    return np.zeros(len(c), np.uint32)


LONG = {
    "matmul": lambda u: u.matmul(np.zeros((8192, 8192), np.uint16), np.zeros((8192, 8192), np.uint16)),
    "matmul by core": lambda u: u.with_({"adders.sum.add.acc.cut": "to_odd"}).matmul(
        np.zeros((512, 4096), np.uint16), np.zeros((4096, 512), np.uint16)
    ),
    "compare": lambda u: u.compare("oracle", cases=10**8),
    "a function": lambda u: u.compare(u.dot, cases=10**8),
    "check": lambda u: u.generate(10**8),
    "score": lambda u: u.score(10**8),
    "coverage": lambda u: u.coverage(10**8),
    "identify": lambda u: u.identify(slowly),
    "explore": lambda u: assay.explore({**STUDY, "shapes": {"m": 512, "n": 512, "k": 65536}, "seeds": 50}, limit=100_000),
}


@pytest.mark.parametrize("what", LONG)
def test_long_work_answers_ctrl_c(wgmma, what):
    # The promise is a second. A machine that others use too may take several; work that asked nobody would take minutes.
    assert interrupted(lambda: LONG[what](wgmma)) < 20
    assert wgmma.dot([1.0], [1.0]) == 1  # and goes on


# The interpreter must not go down below a call that is still at work in a thread of its own.
@pytest.mark.parametrize("what", ["score(10**8)", "coverage(10**8)", "compare(u.with_(F=25), cases=10**8)"])
def test_a_program_that_is_interrupted_ends_as_one(what):
    program = (
        "import assay, os, signal, threading\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "u = assay.instruction('hopper:wgmma.m64nNk16.f32.f16.f16')\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        f"u.{what}\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=False)
    assert ended.returncode == -signal.SIGINT, ended.stderr
    assert ended.stderr.rstrip().endswith("KeyboardInterrupt"), ended.stderr
