"""explorer_test.py ASSAY BUILD: the explorer page, as its readers meet it in Chromium; exit 77 without one or the page."""

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
from pathlib import Path
from xml.etree import ElementTree

import pages

ASSAY, BUILD = sys.argv[1:3]
del sys.argv[1:3]
FILE = Path(BUILD, "share/assay-pages/explorer.html")
UNIT = "hopper:wgmma.m64nNk16.f32.f16.f16"
CASE = f"#unit={UNIT}&a=3c00&b=3c00&c=bf7fffff"  # docs/architecture.md: 2^-24 with 25 bits kept, 2^-23 with 23
EDITOR = "document.querySelector('#editor1 .CodeMirror').CodeMirror"
TWO_ADDERS = "#unit=ampere:mma.m16n8k16.f32.f16.f16.f32&a=3c00,0001&b=3c00,3c00&c=4b800001"
MISTAKE_TEXT = "name: own\nlike: fused_f25\nspecials: stop\n"
MISTAKE = "#" + urllib.parse.urlencode({"text": MISTAKE_TEXT, "a": "3c00"})
WRONG_CASE = '{"a":["3c01"],"b":["3c00"],"c":"00000000","d":"00000000"}'
HEADER = '{"assay":1,"architecture":"hopper","instruction":"wgmma.m64nNk16.f32.f16.f16","pad":true}'


def setUpModule():
    pages.PageTest.page = pages.Page()


def tearDownModule():
    pages.PageTest.page.close()


class Explorer(pages.PageTest):
    def setUp(self):
        self.page.size(1280, 900)
        self.page.media()
        self.page.show(FILE, CASE)

    def d(self, row=1):
        return self.page.text(f"#result tbody tr:nth-child({row}) td")

    def address(self):
        return self.page.run("decodeURIComponent(location.hash)")

    def test_it_is_small(self):
        self.assertLess(FILE.stat().st_size, 3_000_000)
        drawn = int(self.page.run("document.body.dataset.ready"))
        print(f"{FILE.stat().st_size} bytes, drawn after {drawn} ms")  # docs/browser.md has what it is on an idle machine

    def test_a_link_shows_the_case(self):
        self.assertEqual(self.d(), "33800000")
        self.assertEqual(self.page.texts(".sum th"), ["align[0]", "align[16]", "reduce", "round"])
        self.assertIn("01.0000000000000000000000000", self.page.texts(".sum .bits")[0])
        self.assertIn("00.1111111111111111111111110", self.page.texts(".sum .bits")[1])
        self.assertEqual(self.page.text("#command"), f"assay explain --instruction {UNIT} --a 3c00 --b 3c00 --c bf7fffff")
        self.assert_nothing_wrong()

    def test_cut_bits_are_grey(self):
        self.page.show(FILE, f"#unit={UNIT}&a=3c00,0001&b=3c00,0401&c=00000000")
        self.assertEqual(self.page.texts(".sum tr:nth-child(2) .cut"), ["0" * 12 + "10000000001"])

    def test_operands_are_taken_in_every_spelling(self):
        for text, code in [("be00", "be00"), ("1.5", "3e00"), ("0b0011110000000001", "3c01"), ("-inf", "fc00"), ("0.1", "2e66")]:
            self.page.type_over("#a-1", text)
            self.assertIn(f"a=3c00,{code}&", self.address())
        self.assertIn("2e66 is the nearest", self.page.text("#said"))
        before = self.address()
        self.page.type_over("#a-1", "seven")
        self.assertIn("'seven' is not the bits of f16", self.page.text("#message"))
        self.assertEqual(self.page.run("document.getElementById('a-1').ariaInvalid"), "true")
        self.assertEqual(self.address(), before)
        self.assert_nothing_wrong()

    # NF4 has zero at code 7, and -1 at code 0: what stands at the end of a list is left out only where it is zero.
    def test_a_code_of_zeros_that_is_no_zero_stays(self):
        own = "name: own\nlike: fused_f25\nk: 4\noperands: {a: f16, b: nf4, c: f32, d: f32}\n"
        self.page.show(FILE, "#" + urllib.parse.urlencode({"text": own, "a": "3c00,3c00,3c00,3c00", "b": "f,7,7,f"}))
        self.assertEqual(self.d(), "40000000")
        self.page.type_over("#b-3", "-1.0")
        self.assertEqual(self.d(), "00000000")
        self.assertIn("&b=f,7,7,0", self.address())
        self.assertIn(" --b f,7,7,0 ", self.page.text("#command"))
        self.assertEqual(len(self.page.texts("#products tbody tr")), 4)
        self.page.show(FILE, self.page.run("location.hash"))
        self.assertEqual(self.d(), "00000000")
        self.page.type_over("#b-3", "0.0")
        self.assertIn("&b=f&", self.address() + "&")
        self.assertIn(" --b f ", self.page.text("#command"))
        with tempfile.TemporaryDirectory() as folder:
            file, unit = Path(folder, "case.html"), Path(folder, "own.yaml")
            unit.write_text(own, encoding="utf-8")
            words = ["explain", "--datapath", unit, "--a", "3c00,3c00", "--b", "f,0", "--html", file]
            subprocess.run([ASSAY, *words], check=True, capture_output=True, cwd=Path(BUILD, "share/assay"))
            self.page.show(file)
            self.assertEqual(self.d(), "00000000")
        self.assert_nothing_wrong()

    def test_bits_turn_by_mouse_key_and_touch(self):
        self.page.click("#c-0")
        bit = "#bits .cells button[data-at='{}']".format
        self.page.click(bit(31))
        self.assertIn("c=bf7ffffe", self.address())
        self.page.touch(bit(0))
        self.assertIn("c=3f7ffffe", self.address())
        self.page.run(f"document.querySelector(\"{bit(0)}\").focus()")
        self.page.press("ArrowRight")
        self.page.press(" ", " ")
        self.assertIn("c=7f7ffffe", self.address())
        # Drawing over the last four makes them what the first of them becomes.
        at = [self.page.box(bit(i)) for i in range(28, 32)]
        self.page.mouse("mousePressed", at[0]["x"], at[0]["y"])
        for point in at[1:]:
            self.page.send("Input.dispatchMouseEvent", type="mouseMoved", x=point["x"], y=point["y"], button="left", buttons=1)
        self.page.mouse("mouseReleased", at[3]["x"], at[3]["y"])
        self.assertIn("c=7f7ffff0", self.address())
        self.assert_nothing_wrong()

    def test_the_bits_that_are_kept_are_dragged(self):
        self.page.run("document.getElementById('keep-0-sum').focus()")
        self.page.press("ArrowLeft")
        self.assertEqual(self.page.text("#kept-0-sum"), "F = 24")
        self.assertEqual(self.d(), "33800000")
        self.page.press("ArrowLeft")
        self.assertEqual(self.d(), "34000000")
        self.assertIn("adders.sum.add.acc.keep=23", self.address())
        self.page.show(FILE, self.page.run("location.hash"))
        self.assertEqual(self.d(), "34000000")
        self.page.send("Emulation.setTouchEmulationEnabled", enabled=True)
        self.page.send("Input.synthesizeTapGesture", **{axis: self.page.box("#keep-0-sum")[axis] for axis in "xy"})
        self.page.send("Emulation.setTouchEmulationEnabled", enabled=False)
        self.page.settle()
        self.assertIn(self.page.text("#kept-0-sum"), ["F = 31", "F = 32", "F = 33"])  # its middle
        self.assert_nothing_wrong()

    def test_two_units_part(self):
        self.page.click("#copy-beside")
        self.assertIn("hold the same at every place", self.page.text("#parting"))
        self.page.run("document.getElementById('keep-1-sum').focus()")
        self.page.press("ArrowLeft")
        self.page.press("ArrowLeft")
        self.assertEqual([self.d(1), self.d(2)], ["33800000", "34000000"])
        self.assertIn("The two part first at step[0].sum.align[16].", self.page.text("#parting"))
        self.assertEqual(self.page.texts("#differences tbody th")[0], "step[0].sum.align[16]")
        self.assertEqual(len(self.page.texts(".sum")), 2)
        self.page.type_over("#instruction2", "hopper:wgmma.m64nNk16.f32.bf16.bf16")
        self.assertIn("two units are put side by side on the same operands", self.page.text("#message"))
        self.page.click("#remove")
        self.assertEqual(self.page.text("#message"), "")
        self.assert_nothing_wrong()

    def test_a_mistake_in_a_datapath_is_shown_at_its_line(self):
        self.page.click("#edit1")
        lines = self.page.run(f"{EDITOR}.getValue()").split("\n")
        line = lines.index("specials: step")
        self.write(line, "specials: stop")
        self.assertEqual(self.page.texts("#errors1 button"), [f"Line {line + 1}"])
        sentence = self.page.text("#errors1 li")
        self.assertIn("specials: found 'stop'; the choices are", sentence)
        # Below the line, too, and the line's number is marked.
        below = self.page.run("document.querySelector('#editor1 .said').closest('.CodeMirror-linewidget').previousElementSibling.textContent")
        self.assertIn("specials: stop", below)
        self.assertTrue(sentence.endswith(self.page.text("#editor1 .said")))
        self.assertEqual(self.page.texts("#editor1 .at .CodeMirror-linenumber"), [f"{line + 1}"])
        self.assertEqual(self.page.run(f"{EDITOR}.getInputField().ariaInvalid"), "true")
        self.page.click("#errors1 button")
        self.assertEqual(self.page.run(f"{EDITOR}.getSelection()"), "specials: stop")
        self.page.send("Input.insertText", text="specials: step")  # in the place of what is selected
        self.wait_until(f"{EDITOR}.getValue().includes('specials: step')")
        self.assertEqual(self.page.texts("#errors1 li, #editor1 .said, #editor1 .at"), [])
        at = next(i for i, text in enumerate(lines) if "keep: 25" in text)
        self.write(at, lines[at].replace("keep: 25", "keep: 23"))
        self.assertEqual(self.page.texts("#errors1 li"), [])
        self.assertEqual(self.d(), "34000000")
        self.page.show(FILE, self.page.run("location.hash"))
        self.assertEqual(self.d(), "34000000")
        self.assert_nothing_wrong()

    # Puts the cursor there and types, as a reader does.
    def write(self, line, text):
        self.page.run(f"(e => {{ e.focus(); e.setSelection({{line: {line}, ch: 0}}, {{line: {line}, ch: e.getLine({line}).length}}); }})({EDITOR})")
        before = self.page.run(f"{EDITOR}.getValue()")
        self.page.send("Input.insertText", text=text)
        self.wait_until(f"{EDITOR}.getValue() !== {json.dumps(before)}")

    # The editor reads what was typed a moment later.
    def wait_until(self, expression):
        for _ in range(200):
            if self.page.run(expression):
                break
            self.page.settle()
        self.assertTrue(self.page.run(expression), expression)

    def test_the_tab_key_leaves_the_editor(self):
        self.page.click("#edit1")
        self.page.click("#copy-beside")
        for which, after in [(1, "#instruction2"), (2, "#editor2 ~ * button, #operands input")]:
            self.page.run(f"{EDITOR.replace('editor1', f'editor{which}')}.focus()")
            for _ in range(3):
                self.page.press("Tab")
                if self.page.run(f"document.activeElement.matches('{after}')"):
                    break
            self.assertTrue(self.page.run(f"document.activeElement.matches('{after}')"), which)
        self.assertEqual(self.page.run(f"{EDITOR}.getValue().includes('\\t')"), False)

    def test_the_address_holds_what_is_chosen(self):
        self.page.show(FILE, f"#unit={UNIT}&a=3c00&b=3c00&c=bf7fffff")
        for press in ["#zeros", "#all-terms", "#a-3"]:
            self.page.click(press)
        self.assertIn("&zeros=1&terms=all&bits=a[3]", self.address())
        self.page.show(FILE, self.page.run("location.hash"))
        self.assertTrue(self.page.run("zeros.checked"))
        self.assertEqual(self.page.run("document.getElementById('all-terms').ariaPressed"), "true")
        self.assertEqual(self.page.run("document.querySelectorAll('#operands tbody tr').length"), 16)
        self.assertEqual(len(self.page.texts(".sum tbody tr")), 19)  # 16 products, acc, reduce and round
        self.assertEqual(self.page.text("#bits-name"), "a[3]: 0000, +0")
        self.assert_nothing_wrong()

    # Beside the unit: what nothing takes is named, and what is taken stays.
    def test_what_is_not_used_of_an_address_is_said(self):
        one = f"#unit={UNIT}&a=3c00&b=3c00&c=bf7fffff"
        keep = "adders.sum.add.acc.keep"
        for address, said in [
                ("#c=40000000", "The address names no unit (unit=ARCHITECTURE:INSTRUCTION or text=FILE): nothing of it is used."),
                (f"{one}&scale_a=7f", "scale_a in the address is not used: a case of this unit has a, b, c."),
                (f"{one}&__proto__=1", "__proto__ in the address is not used: a case of this unit has a, b, c."),
                (f"{one}&words2={keep}=3", "words2 in the address is not used: there is no unit2 whose words they are."),
                (f"{one}&words={keep}", f"'{keep}' of words in the address is not used: it has no value; write {keep}=VALUE."),
                (f"{one}&text2=name%3A+x&unit2={UNIT}", "unit2 in the address is not used: text2 stands in its place."),
                (f"{one}&by=chip", "by in the address is not used: there is no d that it gave."),
                (f"{one}&at=9", "at=9 in the address is not used: this unit has no such adder."),
                (f"{one}&bits=a[99]", "bits=a[99] in the address is not used: a case of this unit has no such code."),
                (f"{one}&bits=e[0]", "bits=e[0] in the address is not used: a case of this unit has no such code."),
                (f"{one}&terms=foo", "terms=foo in the address is not used: what is known is terms=all."),
                (f"{one}&zeros=7", "zeros=7 in the address is not used: what is known is zeros=1."),
                (f"{one}&c=bf7fffff", "An earlier c in the address is not used: the last one counts."),
                (f"#unit=hopper:none&words={keep}", f"'{keep}' of words in the address is not used: it has no value; write {keep}=VALUE.")]:
            self.go_to(address)
            self.assertTrue(self.page.text("#message").endswith(said), (address, self.page.text("#message")))
            self.assertEqual(self.d(), "33800000", address)
        self.page.show(FILE, f"{one}&foo=1&at=9")
        self.assertEqual(self.page.text("#message"), "foo in the address is not used: a case of this unit has a, b, c."
                                                     " at=9 in the address is not used: this unit has no such adder.")
        for address in [CASE, f"{one}&at=step[0].sum&bits=a[15]&zeros=1&terms=all&d=33800000&by=chip&words={keep}=25"]:
            self.go_to(address)
            self.assertEqual(self.page.text("#message"), "", address)
        self.assert_nothing_wrong()

    def test_infinities_are_said_to_decide(self):
        self.page.show(FILE, f"#unit={UNIT}&a=7c00,3c00&b=3c00,3c00")
        self.assertIn("decide what step[0] leaves: +infinity.", self.page.text(".sum .warning"))
        self.assertEqual(self.page.texts("#products tbody tr:first-child td")[:2], ["+inf", ""])

    def test_adders_are_stepped_through(self):
        self.page.show(FILE, "#unit=ampere:mma.m16n8k16.f32.f16.f16.f32&a=3c00,0001&b=3c00,3c00&c=4b800001")
        self.assertEqual(self.page.run("site.value"), "step[0].sum")
        self.assertTrue(self.page.run("before.disabled"))
        self.page.click("#after")
        self.assertEqual(self.page.run("site.value"), "step[1].sum")
        self.assertTrue(self.page.run("after.disabled"))
        self.assertIn("at=step[1].sum", self.address())
        self.page.run("before.focus()")
        self.page.press("Enter", "\r")
        self.assertEqual(self.page.text(".sum h3"), "step[0].sum")

    def test_a_vector_file_is_held_to_the_model(self):
        lines = [HEADER, '{"a":["3c00"],"b":["3c00"],"c":"bf7fffff","d":"33800000"}', '{"a":["3c01"],"b":["3c00"],"c":"00000000","d":"00000000"}']
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "some.jsonl.gz")
            file.write_bytes(gzip.compress("\n".join(lines).encode()))
            self.choose(file)
        self.assertIn("2 cases; 1 of them have another d than the model gives.", self.page.text("#vectors"))
        self.assertEqual(self.page.texts("#vectors tbody td"), ["3", "00000000", "3f802000"])
        self.page.click("#vectors tbody button")
        self.assertEqual(self.page.texts("#result tbody tr:last-child > *")[:2], ["recorded", "00000000"])
        self.assertIn("a=3c01&b=3c00&c=00000000&d=00000000", self.address())
        self.assertIn("which is not the model's", self.page.text("#parting"))
        self.assert_nothing_wrong()

    def test_a_recorded_d_is_read_before_it_is_compared(self):
        one = f"#unit={UNIT}&a=3c00&b=3c00"
        for d, said in [("3f800000", ""), ("3F800000", ""), ("0x3f800000", ""), ("40000000", "The recorded d is 40000000, which is not the model's."),
                        ("zz", "The recorded d is zz, which is no code: 'zz' is not the bits of f32: those are 8 digits (32 bits) of 0-9 and a-f."),
                        ("40000000&by=chip", "chip has d = 40000000, which is not the model's.")]:
            self.go_to(f"{one}&d={d}")
            self.assertEqual(self.page.text("#parting").strip(), said, d)
        self.assertEqual(self.page.texts("#result tbody tr:last-child > *")[:4], ["chip", "40000000", "0|10000000|00000000000000000000000", "+2"])
        self.go_to(f"#unit={UNIT}&a=7e00&b=3c00&d=7fc00000")
        self.assertIn("another NaN than the model's", self.page.text("#parting"))
        self.assert_nothing_wrong()

    # Two instructions along K, one case without a d, NaNs that count as equal.
    def test_a_vector_file_says_what_was_held(self):
        ones = {"A": [["3c00"] * 17], "B": [["3c00"]] * 17, "C": [["3f800000"]]}
        nan = {"a": ["7e00"], "b": ["3c00"], "c": "00000000", "d": "7fc00000"}
        any_nan = HEADER[:-1] + ',"nan":"any"}'
        with tempfile.TemporaryDirectory() as folder:
            for i, (header, cases, said) in enumerate([
                    (HEADER, [ones | {"D": [["41880000"]]}, ones], "2 cases, 2 dot products; 1 of the 1 with a d have another than the model gives. 1 without one are not held to it."),
                    (HEADER, [ones], "1 cases, 1 dot products; none has a d, and nothing was held to the model."),
                    (HEADER, [], "0 cases; there is none, and nothing was held to the model."),
                    (HEADER, [nan], "1 cases; 1 of them have another d than the model gives."),
                    (any_nan, [nan], "1 cases; 0 of them have another d than the model gives. One NaN is as good as another.")]):
                file = Path(folder, f"some{i}.jsonl")
                file.write_text("\n".join([header, *map(json.dumps, cases)]), encoding="utf-8")
                self.page.run("vectors.replaceChildren()")
                self.choose(file)
                self.assertIn(said, self.page.text("#vectors p"))
                if "D" in str(cases):
                    self.page.click("#vectors tbody button")
                    self.assertIn("a=3c00&b=3c00&c=41880000&d=41880000", self.address())
                    self.assertEqual(self.d(), "41900000")
                    self.assertIn("the last of 2 instructions along K", self.page.text("#said"))
        self.assert_nothing_wrong()

    def choose(self, file):
        root = self.page.send("DOM.getDocument")["root"]["nodeId"]
        node = self.page.send("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
        self.page.send("DOM.setFileInputFiles", files=[str(file)], nodeId=node)
        for _ in range(100):
            if self.page.text("#vectors p"):
                break
            self.page.settle()

    def test_a_file_of_zstd_is_unpacked(self):
        with tempfile.TemporaryDirectory() as folder:
            some, out = Path(folder, "some.jsonl"), Path(folder, "some.jsonl.zst")
            for words in [["generate", "--instruction", UNIT, "--cases", "300", "-o", some],
                          ["run", some, "--device", "model:configs/datapath/fused_f23.yaml", "-o", out]]:
                subprocess.run([ASSAY, *words], check=True, capture_output=True, cwd=Path(BUILD, "share/assay"))
            differ = subprocess.run([ASSAY, "check", out], check=False, capture_output=True, text=True).stdout
            packed = out.read_bytes()
            self.assertEqual(packed[:4], b"\x28\xb5\x2f\xfd")
            self.choose(out)
            found = re.search(r"300 cases; (\d+) of them have another d", self.page.text("#vectors"))
            self.assertIn(f"\n{found[1]} cases with a d that differs", differ)
            self.assertGreater(int(found[1]), 0)
            half = Path(folder, "half.jsonl.zst")
            half.write_bytes(packed[:len(packed) // 2])
            self.page.run("vectors.replaceChildren()")
            self.choose(half)
            self.assertEqual(self.page.text("#vectors .warning"), "half.jsonl.zst cannot be unpacked: it is damaged, or ends too early.")
            self.assert_nothing_wrong()

    # Members of gzip one after the other; the name in each holds the bytes with which a member begins.
    def test_a_file_of_several_gzip_members_is_unpacked(self):
        packed = io.BytesIO()
        for line in [HEADER, WRONG_CASE, WRONG_CASE]:
            with gzip.GzipFile("\x1f\x8b\x08", "wb", fileobj=packed) as member:
                member.write(line.encode() + b"\n")
        with tempfile.TemporaryDirectory() as folder:
            for name, content, said in [("whole", packed.getvalue(), "2 cases; 2 of them have another d"),
                                        ("cut", packed.getvalue()[:-3], "it is damaged, or ends too early.")]:
                file = Path(folder, name + ".jsonl.gz")
                file.write_bytes(content)
                self.page.run("vectors.replaceChildren()")
                self.choose(file)
                self.assertIn(said, self.page.text("#vectors p"))
        self.assert_nothing_wrong()

    def test_a_file_may_be_dropped(self):
        self.page.run(f"(() => {{ const all = new DataTransfer(); all.items.add(new File(['{HEADER}\\n{{}}\\n'], 'bad.jsonl'));"
                      " document.dispatchEvent(new DragEvent('drop', {dataTransfer: all, cancelable: true})); })()")
        for _ in range(100):
            if self.page.text("#vectors p"):
                break
            self.page.settle()
        self.assertIn("bad.jsonl, line 2: ", self.page.text("#vectors .warning"))

    # A file that was cut off, and one that an editor has begun with a byte order mark, packed or not.
    def test_a_file_that_check_refuses_is_refused(self):
        promising = HEADER[:-1] + ',"cases":2}\n'
        with tempfile.TemporaryDirectory() as folder:
            for name, text, sentence in [("cut.jsonl", promising + WRONG_CASE, "the header promises 2 cases, but the file holds 1."),
                                         ("marked.jsonl", "\ufeff" + HEADER + "\n" + WRONG_CASE, "the file begins with a byte order mark;")]:
                for packed in [False, True]:
                    file = Path(folder, name + (".gz" if packed else ""))
                    file.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
                    self.page.run("vectors.replaceChildren()")
                    self.choose(file)
                    self.assertIn(f"{file.name}, line 1: {sentence}", self.page.text("#vectors .warning"))
                    check = subprocess.run([ASSAY, "check", file], check=False, capture_output=True, text=True)
                    self.assertEqual(check.returncode, 2)
                    self.assertIn(self.page.text("#vectors .warning"), check.stderr)
        self.assert_nothing_wrong()

    def test_explain_writes_the_page_of_its_case(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "case.html")
            run = subprocess.run([ASSAY, "explain", "--instruction", UNIT, "--a", "3c00", "--b", "3c00", "--c", "bf7fffff", "--device",
                                  "model:configs/datapath/fused_f23.yaml", "--html", str(file)], check=False, capture_output=True, text=True,
                                 cwd=Path(BUILD, "share/assay"))
            self.assertEqual(run.returncode, 1, run.stderr)
            self.page.show(file)
            self.assertEqual([self.d(1), self.d(2)], ["33800000", "34000000"])
            self.assertIn("The two part first at", self.page.text("#parting"))
            self.assert_nothing_wrong()

    def test_a_program_without_the_page_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy(ASSAY, folder)
            run = subprocess.run([alone, "explain", "--instruction", UNIT, "--a", "3c00", "--html", str(Path(folder, "case.html"))], check=False,
                                 capture_output=True, text=True, env={**os.environ, "ASSAY_HOME": str(Path(BUILD, "share/assay"))})
            self.assertEqual(run.returncode, 4)
            self.assertIn("The explorer page was not built with this program", run.stderr)
            self.assertEqual(list(Path(folder).glob("*.html")), [])

    def test_nothing_else_may_run_or_be_fetched(self):
        self.page.run("(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s); })()")
        self.assertIsNone(self.page.run("window.ran"))
        self.assertEqual(self.page.run("fetch('https://example.invalid/').then(() => 'sent', e => e.name)"), "TypeError")

    # With a vector file, one case of which differs.
    def show_every_control(self):
        self.page.show(FILE, TWO_ADDERS)
        self.page.run(f"(() => {{ const all = new DataTransfer(); all.items.add(new File([{json.dumps(HEADER + chr(10) + WRONG_CASE + chr(10))}],"
                      " 'some.jsonl')); document.dispatchEvent(new DragEvent('drop', {dataTransfer: all, cancelable: true})); })()")
        for _ in range(100):
            if self.page.text("#vectors button"):
                break
            self.page.settle()

    # Each with what is seen of its work, and where it is worked: at CASE, or with two units of two adders.
    PRESSED = [
        ("#copy", "said.textContent", CASE), ("#theme", "document.documentElement.dataset.theme", CASE),
        ("#edit1", "document.getElementById('editor1').hidden", CASE), ("#edit2", "document.getElementById('editor2').hidden", CASE + "&unit2=" + UNIT),
        ("#copy-beside", "location.hash", CASE), ("#remove", "location.hash", CASE + "&unit2=" + UNIT),
        ("#bits .cells button", "location.hash", CASE + "&bits=c[0]"), ("#all-terms", "location.hash", CASE), ("#clear", "location.hash", CASE),
        ("#before", "site.value", TWO_ADDERS + "&at=step[1].sum"), ("#after", "site.value", TWO_ADDERS + "&at=step[0].sum"),
        ("#zeros", "location.hash", CASE), ("footer summary", "document.querySelector('footer details').open", CASE),
        ("#errors1 button", f"{EDITOR}.getSelection()", MISTAKE), ("#open-line", "location.hash", None), ("#vectors tbody button", "location.hash", None)]

    def test_every_button_is_worked_by_mouse_key_and_touch(self):
        for control, seen, address in self.PRESSED:
            for press in [self.page.click, self.page.touch, self.press_by_key]:
                if address is None:
                    self.show_every_control()
                else:
                    self.go_to(address)
                before = self.page.run(seen)
                press(control)
                self.assertNotEqual(self.page.run(seen), before, (control, press.__name__))
        self.assert_nothing_wrong()

    def press_by_key(self, selector):
        self.page.run(f"document.querySelector({json.dumps(selector)}).focus()")
        self.assertTrue(self.page.run(f"document.activeElement.matches({json.dumps(selector)})"), selector)
        self.page.press(" ", " ")

    # By its address alone, which is faster than loading it anew.
    def go_to(self, address):
        self.page.run("said.textContent = ''; document.documentElement.removeAttribute('data-theme'); document.querySelector('footer details').open = false;"
                      f" {EDITOR[:-len('.CodeMirror')]}?.CodeMirror.setCursor(0, 0)")
        self.page.run(f"location.hash = ''; location.hash = {json.dumps(address)}")
        self.page.settle()

    def test_every_field_is_worked_by_mouse_key_and_touch(self):
        beside = CASE + "&unit2=" + UNIT
        for field, text, address in [("#instruction1", "ampere:mma.m16n8k16.f32.f16.f16.f32", CASE), ("#instruction2", UNIT, CASE),
                                     ("#a-1", "1.5", CASE), ("#line", "2", None)]:
            for choose in [self.page.click, self.page.touch, self.focus]:
                if address is None:
                    self.show_every_control()
                else:
                    self.go_to(address)
                choose(field)
                self.assertTrue(self.page.run(f"document.activeElement.matches('{field}')"), (field, choose.__name__))
                self.page.run("document.activeElement.select()")
                self.page.send("Input.insertText", text=text)
                self.page.press("Enter", "\r")
                shown = {"#a-1": "3e00"}.get(field, text)
                self.assertEqual(self.page.run(f"document.querySelector('{field}').value"), shown, (field, choose.__name__))
                if address is not None:
                    self.assertIn(shown, self.address())
        # A list opens in a window of the browser's own, by mouse and touch; keys choose from it here.
        self.go_to(TWO_ADDERS + "&at=step[0].sum")
        for choose in [self.page.click, self.page.touch, self.focus]:
            choose("#site")
            self.assertEqual(self.page.run("document.activeElement.id"), "site")
            self.page.press("Escape")
        self.page.press("ArrowDown")
        self.assertIn("at=step[1].sum", self.address())
        self.go_to(beside)
        for slider in ["keep-0-sum", "keep-1-sum"]:
            for work in [self.drag, self.page.touch, self.key_left]:
                self.go_to(beside)
                work(f"#{slider}")
                self.assertIn("keep=", self.address(), (slider, work.__name__))
        # The editor takes letters wherever it is entered.
        for choose in [self.page.click, self.page.touch]:
            self.go_to(MISTAKE)
            choose("#editor1 .CodeMirror-line")
            self.page.send("Input.insertText", text="x")
            self.wait_until(f"{EDITOR}.getValue().split('x').length - {MISTAKE_TEXT!r}.split('x').length === 1")
        self.assert_nothing_wrong()

    def test_no_control_is_left_out_of_these(self):
        self.page.show(FILE, MISTAKE)
        self.show_every_control()
        worked = [control for control, _, _ in self.PRESSED] + ["#instruction1", "#instruction2", "#operands input", "#line", "#site", "#keeps input",
                                                               ".CodeMirror *", "#file", "#vectors button"]
        for address in [MISTAKE, TWO_ADDERS + "&bits=c[0]"]:
            self.go_to(address)
            others = self.page.run("[...document.querySelectorAll('a[href^=\"#\"], button, input, select, textarea, summary, [contenteditable]')]"
                                   f".filter(e => !e.matches({json.dumps(', '.join(worked))})).map(e => e.outerHTML)")
            self.assertEqual(others, [])

    def test_a_file_is_asked_for_by_mouse_key_and_touch(self):
        self.page.send("Page.setInterceptFileChooserDialog", enabled=True)
        try:
            for press in [self.page.click, self.page.touch, self.press_by_key]:
                self.page.events.clear()
                press("#file")
                self.page.wait_for("Page.fileChooserOpened")
        finally:
            self.page.send("Page.setInterceptFileChooserDialog", enabled=False)

    def focus(self, selector):
        self.page.run(f"document.querySelector({json.dumps(selector)}).focus()")

    def key_left(self, selector):
        self.focus(selector)
        self.page.press("ArrowLeft")

    def drag(self, selector):
        at = self.page.box(selector)
        left, right = at["x"] - at["width"] / 5, at["x"] + at["width"] / 5
        self.page.mouse("mousePressed", left, at["y"])
        self.page.send("Input.dispatchMouseEvent", type="mouseMoved", x=right, y=at["y"], button="left", buttons=1)
        self.page.mouse("mouseReleased", right, at["y"])
        self.page.settle()

    def test_everything_that_is_worked_has_a_name(self):
        self.page.click("#edit1")
        self.page.click("#a-0")
        self.assert_every_control_has_a_name()

    def test_a_phone_scrolls_no_page_sideways(self):
        self.page.size(360, 740, mobile=True)
        self.page.show(FILE, CASE + "&unit2=ampere:mma.m16n8k16.f32.f16.f16.f32")
        self.page.run("document.getElementById('c-0').focus()")
        self.assertLessEqual(self.page.run("document.documentElement.scrollWidth"), 360)

    def test_it_looks_as_it_did(self):
        self.page.run("document.getElementById('a-0').focus()")
        self.assert_looks_as_it_did("explorer", "main")
        self.page.media(dark=True)
        self.page.settle()
        self.assert_looks_as_it_did("explorer-dark", "main")
        # The tolerance is not so wide that anything passes.
        self.page.media()
        self.page.run("document.getElementById('sums').remove()")
        self.assertGreater(self.unlike("explorer", "main"), 0.015)


class Verdict(pages.PageTest):
    """The page of compare and check, with the explorer below."""

    def setUp(self):
        self.page.size(1280, 900)
        self.page.media()
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name, "verdict.html")

    def tearDown(self):
        self.folder.cleanup()

    def run_assay(self, *words, status):
        run = subprocess.run([ASSAY, *words, "--html", str(self.file)], check=False, capture_output=True, text=True, cwd=Path(BUILD, "share/assay"))
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stdout

    def compare(self):
        return self.run_assay("compare", "--instruction", UNIT, "--device", "model:configs/datapath/fused_f23.yaml", "--cases", "500", status=1)

    def test_the_counts_are_those_of_the_text(self):
        said = self.compare()
        self.page.show(self.file)
        rows = dict(zip(self.page.texts(".verdict [aria-label=counts] td.word"), self.page.texts(".verdict [aria-label=counts] td:not(.word)")))
        self.assertEqual(rows["compared"], "500")
        self.assertIn(f"{rows['d differs']} cases with a d that differs", said)
        self.assertEqual(self.page.texts(".verdict h4"), [f"d: {rows['d differs']} cases"])
        self.assertIn("By family: ", self.page.text(".verdict h4 + .note"))
        self.assertEqual(self.page.texts(".datapath .bar + text"), [rows["d differs"]])
        self.assertIn("datapath fused_f23", self.page.text(".verdict pre"))
        self.assertEqual(self.page.text("h1"), f"assay compare: {UNIT}: failed")
        self.assertEqual(len(self.page.texts(".verdict details")), 3)
        self.assert_nothing_wrong()

    def test_bars_stand_beside_the_stage_at_which_failures_begin(self):
        self.run_assay("compare", "--device", "rtl:configs/dut/fused_f25_f16_fault_align.yaml", "--instruction", UNIT, "--cases", "300", status=1)
        self.page.show(self.file)
        bar, align = self.page.run("[document.querySelector('.datapath .bar'), [...document.querySelectorAll('.datapath .stage')].find(t => t.textContent === 'align')]"
                                   ".map(e => e.getBoundingClientRect().top)")
        self.assertLess(abs(bar - align), 10)
        # Each place has a case, which is looked at in its adder.
        places = self.page.run("[...document.querySelectorAll('.verdict h4')].map(h => h.textContent.split(':')[0])")
        self.assertGreater(len(places), 0)
        shown = self.page.run("[...document.querySelectorAll('.verdict details td.word:first-child')].map(c => c.textContent)")
        self.assertEqual([place for place in places if place not in shown], [])
        self.page.click(".verdict details summary")
        self.page.click(".verdict details a.case")
        self.assertEqual(self.page.run("site.value"), places[0].rsplit(".", 1)[0])
        self.assert_nothing_wrong()

    # The place at which they begin is in no adder; the link names none.
    def test_a_failure_outside_the_adders_opens_in_the_explorer(self):
        tree, folder = Path(BUILD, "share/assay"), Path(self.folder.name)
        encode = (tree / "rtl_ref/assay_encode.sv").read_text(encoding="utf-8")
        (folder / "assay_encode.sv").write_text(encode.replace("{negative, field};", "{1'b1, field};"), encoding="utf-8")
        unit = (tree / "configs/dut/fused_f25_f16_fault_align.yaml").read_text(encoding="utf-8").replace("faults/", "")
        unit = unit.replace("../../rtl_ref/assay_encode.sv", "assay_encode.sv").replace("../..", str(tree.resolve()))
        (folder / "unit.yaml").write_text(unit, encoding="utf-8")
        self.run_assay("compare", "--device", f"rtl:{folder / 'unit.yaml'}", "--instruction", UNIT, "--cases", "100", status=1)
        self.page.show(self.file)
        self.assertTrue(self.page.text(".verdict h4").startswith("encode: "))
        self.page.click(".verdict details summary")
        self.page.click(".verdict details a.case")
        self.assertIn("which is not the model's", self.page.text("#parting"))
        self.assertEqual(self.page.text("#message"), "")
        self.assert_nothing_wrong()

    def test_failures_stand_below_what_explains_them(self):
        own = Path(self.folder.name, "both.yaml")
        own.write_text("name: both\nlike: fused_f25\nnan: 7fc00000\nadders:\n  - name: sum\n    add: {product: {keep: 24}, acc: {keep: 25}}\n", encoding="utf-8")
        self.run_assay("compare", "--instruction", UNIT, "--device", f"model:{own}", "--cases", "2000", "--max-failures", "40", status=1)
        self.page.show(self.file)
        below = self.page.run("""[...document.querySelectorAll('.verdict details')].map(d => {
            let p = d; while (p.localName !== 'p') p = p.previousElementSibling;
            return [p.textContent, ...[...d.querySelectorAll('td code')].map(c => c.textContent.replaceAll('|', ''))]; })""")
        self.assertEqual(len(below), 40)
        self.assertEqual({cause for cause, _, _ in below}, {"It gives just this if nan were 7fc00000 (it is 7fffffff)"
                                                            " and adders.sum.add.product.keep were 24 (it is 25):"})

    def test_the_smallest_case_opens_in_the_explorer(self):
        said = self.compare()
        self.page.show(self.file)
        self.page.click(".verdict pre + p a.case")
        smallest = re.search(r"^smallest failing case: .* (--a .*)$", said, re.MULTILINE)[1]
        self.assertTrue(self.page.text("#command").endswith(smallest.split(" --device")[0]), (self.page.text("#command"), smallest))
        self.assertEqual(self.page.texts("#result tbody tr:last-child > *")[0], "model:configs/datapath/fused_f23.yaml")
        self.assertIn("which is not the model's", self.page.text("#parting"))

    def test_coverage_and_kill_score_stand_there_where_they_are_asked_for(self):
        said = self.run_assay("compare", "--instruction", UNIT, "--device", "oracle", "--cases", "200", "--score", "--coverage", status=0)
        self.page.show(self.file)
        alone = {command: subprocess.run([ASSAY, command, "--instruction", UNIT, "--cases", "200"], check=False, capture_output=True, text=True).stdout
                 for command in ["score", "coverage"]}
        killed, mutants, equivalent, still_open = re.search(r"(\d+) of (\d+) mutants killed, (\d+) equivalent, (\d+) open", alone["score"]).groups()
        self.assertIn(f"{killed} of {mutants} mutants killed, {equivalent} equivalent, {still_open} open", said)
        _, hit, reachable, *_ = re.search(r"^all .*$", alone["coverage"], re.MULTILINE)[0].split()
        self.assertIn(f"{hit} of {reachable} reachable bins of coverage hit", said)
        headings = self.page.texts(".verdict h3")
        self.assertIn(f"Kill score: {killed} of {mutants} mutants killed, {equivalent} equivalent, {still_open} open", headings)
        self.assertIn(f"Coverage: {hit} of {reachable} reachable bins hit", headings)
        self.assertEqual(len(self.page.texts("[aria-label='mutants that no case killed'] tbody tr")), int(still_open))
        points = [[int(cell) for cell in row] for row in self.page.run("[...document.querySelectorAll('[aria-label=coverage] tbody tr')]"
                                                                      ".map(r => [r.cells[1].textContent, r.cells[2].textContent])")]
        self.assertEqual([sum(column) for column in zip(*points)], [int(hit), int(reachable)])
        self.assertIn(f"{killed} of {mutants} mutants killed", self.page.text(".verdict dl"))
        self.assert_nothing_wrong()
        self.compare()
        self.page.show(self.file)
        self.assertEqual([h for h in self.page.texts(".verdict h3") if "score" in h or "Coverage" in h], [])

    def test_it_prints_with_every_failure_and_without_empty_headings(self):
        self.compare()
        self.page.show(self.file)
        self.page.media("print")
        self.page.settle()
        self.assertEqual(self.page.run("[...document.querySelectorAll('.verdict details table')].filter(t => !t.checkVisibility({contentVisibilityAuto: true})).length"), 0)
        self.assertEqual(self.page.run(EMPTY_HEADINGS), [])
        self.assertFalse(self.page.run("document.getElementById('drop').checkVisibility()"))
        self.assertTrue(self.page.send("Page.printToPDF")["data"].startswith("JVBER"))  # "%PDF"

    def test_a_failure_opens_in_the_explorer(self):
        self.compare()
        self.page.show(self.file)
        self.page.click(".verdict details summary")
        expected, got = self.page.texts(".verdict details[open] td code")
        self.assertNotEqual(expected, got)
        self.page.click("a.case")
        self.assertEqual(self.page.texts("#result tbody tr:first-child td")[1], expected)
        self.assertEqual(self.page.texts("#result tbody tr:last-child > *")[0], "model:configs/datapath/fused_f23.yaml")
        self.assertEqual(self.page.texts("#result tbody tr:last-child td")[1], got)
        self.assert_nothing_wrong()

    def test_a_checked_file_shows_what_was_recorded(self):
        recorded = Path(self.folder.name, "some.jsonl")
        recorded.write_text(HEADER + '\n{"a":["3c01"],"b":["3c00"],"c":"00000000","d":"00000000"}\n', encoding="utf-8")
        self.run_assay("check", str(recorded), str(Path(self.folder.name, "none.jsonl")), status=2)
        self.page.show(self.file)
        self.assertEqual(self.page.text("h1"), "assay check: 2 comparisons")
        self.assertEqual(len(self.page.texts(".verdict h2")), 2)
        self.assertTrue(self.page.texts(".verdict h2")[1].endswith("none.jsonl: not compared"))
        self.page.click(".verdict details summary")
        self.page.click("a.case")
        self.assertEqual(self.page.texts("#result tbody tr:last-child td")[0], "00000000")
        self.assertEqual(self.page.texts("#result tbody tr:first-child td")[0], "3f802000")
        self.assert_nothing_wrong()

    def test_without_the_explorer_the_verdict_is_written_all_the_same(self):
        alone = shutil.copy(ASSAY, self.folder.name)
        run = subprocess.run([alone, "compare", "--instruction", UNIT, "--device", "model:configs/datapath/fused_f23.yaml", "--cases", "500", "--html",
                              str(self.file)], check=False, capture_output=True, text=True, cwd=Path(BUILD, "share/assay"),
                             env={**os.environ, "ASSAY_HOME": str(Path(BUILD, "share/assay"))})
        self.assertEqual(run.returncode, 1, run.stderr)
        self.page.open(self.file)
        self.assertIn("The explorer was not built with this program", self.page.text("main > .note"))
        self.assertEqual(len(self.page.texts(".verdict details")), 3)
        self.assertEqual(len(self.page.texts(".datapath .bar")), 1)
        self.assert_nothing_wrong()

    def test_what_passes_says_so(self):
        self.run_assay("compare", "--instruction", UNIT, "--device", "oracle", "--cases", "50", status=0)
        self.page.show(self.file)
        self.assertEqual(self.page.texts(".verdict h2"), [f"{UNIT}: passed"])
        self.assertEqual(self.page.texts(".verdict details, .datapath .bar"), [])
        self.assert_nothing_wrong()

    def test_what_others_wrote_stays_text(self):
        waivers = Path(self.folder.name, "waivers.yaml")
        waivers.write_text("waivers:\n  - {verdict: differs, reason: '<script>document.title=1</script>', owner: '<b>me'}\n", encoding="utf-8")
        self.run_assay("compare", "--instruction", UNIT, "--device", "model:configs/datapath/fused_f23.yaml", "--cases", "50", "--waivers", str(waivers),
                       status=0)
        self.page.show(self.file)
        self.assertIn("<script>document.title=1</script>", self.page.texts(".verdict [aria-label=waivers] td"))
        self.assertEqual(self.page.run("document.title"), self.page.text("h1"))
        self.assert_nothing_wrong()

    def test_a_phone_scrolls_no_page_sideways(self):
        self.compare()
        self.page.size(360, 740, mobile=True)
        self.page.show(self.file)
        self.assertLessEqual(self.page.run("document.documentElement.scrollWidth"), 360)
        self.assert_every_control_has_a_name()

    def test_it_looks_as_it_did(self):
        self.compare()
        self.page.show(self.file)
        self.assert_looks_as_it_did("verdict", ".verdict")


# Headings that can be seen, and nothing of what they announce.
EMPTY_HEADINGS = """[...document.querySelectorAll('h2, h3, h4')].filter(h => h.checkVisibility()).filter(h => {
    for (let e = h.nextElementSibling; e && !/^H[234]$/.test(e.localName.toUpperCase()); e = e.nextElementSibling)
        if (e.checkVisibility() && e.getBoundingClientRect().height > 0) return false;
    return !/^H[34]$/.test((h.nextElementSibling?.localName ?? '').toUpperCase()); }).map(h => h.textContent)"""


class Drawing(pages.PageTest):
    """describe --svg and --html."""

    def setUp(self):
        self.page.size(1000, 900)
        self.page.media()

    def test_every_width_that_describe_says_is_drawn(self):
        for words in [["hopper", "wgmma.m64nNk16.f32.f16.f16"], ["tdpbf16ps"], ["--datapath", "configs/datapath/pair_sum_coarse.yaml"]]:
            with tempfile.TemporaryDirectory() as folder:
                svg, page = Path(folder, "unit.svg"), Path(folder, "unit.html")
                run = subprocess.run([ASSAY, "describe", *words, "--svg", svg, "--html", page], check=True, capture_output=True, text=True,
                                     cwd=Path(BUILD, "share/assay"))
                drawn = " ".join("".join(text.itertext()) for text in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text"))
                said = run.stdout.split("\n\n", 1)[1]
                for width in re.findall(r"\d+ bits", said):
                    self.assertGreaterEqual(drawn.count(width), said.count(width), width)
                for stage in re.findall(r"^ *([a-z]\w*)", said, re.MULTILINE):
                    self.assertIn(stage, drawn)
                self.page.events.clear()
                self.page.open(page)
                self.assert_inside_and_apart()
                self.assert_nothing_wrong()

    # No text lies on another, or beyond the drawing.
    def assert_inside_and_apart(self):
        boxes = self.page.run("[...document.querySelectorAll('svg, svg text')].map(t => { const r = t.getBoundingClientRect();"
                              " return [t.textContent, r.left, r.right, r.top, r.bottom]; })")
        (_, least, greatest, *_), *texts = boxes
        for i, (text, left, right, top, bottom) in enumerate(texts):
            self.assertTrue(least <= left and right <= greatest, text)
            for other, l, r, t, b in texts[:i]:
                self.assertTrue(right <= l or r <= left or bottom - 3 <= t or b - 3 <= top, (text, other))

    def test_a_phone_scrolls_no_page_sideways_and_dark_is_dark(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "unit.html")
            subprocess.run([ASSAY, "describe", "hopper", "wgmma.m64nNk16.f32.f16.f16", "--html", page], check=True, capture_output=True)
            self.page.size(360, 740, mobile=True)
            self.page.media(dark=True)
            self.page.open(page)
            self.assertLessEqual(self.page.run("document.documentElement.scrollWidth"), 360)
            self.assertIn("rgb(21, 24, 28)", self.page.run("getComputedStyle(document.body).backgroundColor"))
            self.assertIn("rgb(230, 233, 237)", self.page.run("getComputedStyle(document.querySelector('svg text')).fill"))
            self.assert_every_control_has_a_name()
            self.assert_nothing_wrong()

    def test_it_looks_as_it_did(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "unit.html")
            subprocess.run([ASSAY, "describe", "hopper", "wgmma.m64nNk16.f32.f16.f16", "--html", page], check=True, capture_output=True)
            self.page.open(page)
            self.assert_looks_as_it_did("describe", "body")

    def test_only_a_datapath_is_drawn(self):
        for words, sentence in [(["hopper"], "'hopper' is an architecture"), (["--format", "f16"], "--svg and --html draw a datapath")]:
            run = subprocess.run([ASSAY, "describe", *words, "--svg", "/dev/null"], check=False, capture_output=True, text=True)
            self.assertEqual(run.returncode, 2)
            self.assertIn(sentence, run.stderr)


if __name__ == "__main__":
    for needed, there in [("explorer.html, which was not built", FILE.is_file()), ("chromium", pages.browser.find())]:
        if not there:
            print(f"SKIPPED: there is no {needed}; scripts/setup and scripts/setup --page install what is needed. Nothing of the page was looked at.")
            sys.exit(77)
    unittest.main()
