"""page_test.py WRITE_REPORT: the report of the made-up study, as a reader in a browser meets it; exit 77 without one."""

import csv
import io
import json
import math
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "browser"))
import browser
import pages  # noqa: E402  (it lies beside the other pages' tests)

WRITE_REPORT = sys.argv.pop()
TITLE = "Width & cut of \"an\" accumulator </script><script>document.title='broken'</script>"
WRONG = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
ROWS, SHOWN_FIRST = 580, 290  # all, and those of the last K
PLOTS = ["error", "bias", "ulps", "cost"]
MEASURES = ["normwise", "quantisation", "total", "elementwise", "greatest", "sqnr", "bias", "shrink", "correct", "swamped", "value"]


def setUpModule():
    global FOLDER, PAGE
    FOLDER = tempfile.TemporaryDirectory()
    subprocess.run([WRITE_REPORT, FOLDER.name], check=True)
    PAGE = pages.Page()


def tearDownModule():
    PAGE.close()
    FOLDER.cleanup()


def texts(selector):
    return PAGE.run(f"[...document.querySelectorAll('{selector}')].map(e => e.textContent)")


def box(selector):
    return PAGE.run(f"(() => {{ const r = document.querySelector('{selector}').getBoundingClientRect();"
                    " return {x: r.x + r.width / 2, y: r.y + r.height / 2, width: r.width, height: r.height}; })()")


def style(selector, name):
    return PAGE.run(f"getComputedStyle(document.querySelector('{selector}')).{name}")


def click(selector):
    PAGE.run(f"document.querySelector('{selector}').scrollIntoView({{block: 'center'}})")
    at = box(selector)
    PAGE.mouse("mousePressed", at["x"], at["y"])
    PAGE.mouse("mouseReleased", at["x"], at["y"])
    PAGE.settle()


def number(text):
    return float(text.replace("−", "-"))


def column(name):
    """The cells of the table's column, from the top."""
    at = texts("#rows th").index(name)
    return texts(f"#rows tbody td:nth-child({at + 1})")


def inked(plot):
    """How many pixels of a plot have a colour: axes, grid and letters are grey, lines and bars are not."""
    at = PAGE.run(f"(() => {{ const r = document.querySelector('#{plot} svg.plot').getBoundingClientRect();"
                  " return [r.x + scrollX, r.y + scrollY, r.width, r.height]; })()")
    return PAGE.count_pixels("Math.max(r, g, b) - Math.min(r, g, b) > 60", *at)


def choose(select, value):
    """The option of this text."""
    PAGE.run(f"(() => {{ const s = document.getElementById('{select}');"
             f" s.value = [...s.options].find(o => o.text === '{value}').value; s.dispatchEvent(new Event('change')); }})()")
    PAGE.settle()


def numbers_of(plot):
    """The table behind a plot: its heads, and each first cell with the row's others."""
    PAGE.run(f"(d => {{ d.open = false; d.open = true; }})(document.querySelector('#{plot} .pictures + div details'))")
    PAGE.settle()
    rows = PAGE.run(f"[...document.querySelectorAll('#{plot} .pictures + div details tr')].map(r => [...r.cells].map(c => c.textContent))")
    return rows[0][1:], {row[0]: row[1:] for row in rows[1:]}


def hold_beside(file):
    """Chooses a file to compare with."""
    root = PAGE.send("DOM.getDocument")["root"]["nodeId"]
    node = PAGE.send("DOM.querySelector", nodeId=root, selector="#other")["nodeId"]
    PAGE.run("compared.textContent = ''")
    PAGE.send("DOM.setFileInputFiles", files=[str(Path(FOLDER.name, file))], nodeId=node)
    for _ in range(100):
        if texts("#compared")[0]:
            break
        time.sleep(0.02)
    PAGE.settle()
    return texts("#compared")[0]


def saved(button, name):
    """The text of the file that a button saves."""
    with tempfile.TemporaryDirectory() as folder:
        PAGE.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
        click(button)
        for _ in range(200):
            if Path(folder, name).exists():
                return Path(folder, name).read_bytes().decode()
            time.sleep(0.02)
        raise AssertionError(f"{name} is not saved, but {list(Path(folder).iterdir())}.")


def tick(label):
    """Works a box of what is shown."""
    PAGE.run(f"[...document.querySelectorAll('#filters label')].find(l => l.textContent === ' {label}').firstChild.click()")
    PAGE.settle()


# Of one plot in the page, and of one in a file: ticks with their places, each drawn line's name and its paths.
IN_A_PAGE = """(picture => ({
  ticks: [...picture.querySelectorAll('.y-ticks text')].map(t => [t.textContent, parseFloat(t.getAttribute('y'))]),
  grid: [...picture.querySelectorAll('.grid line')].map(l => parseFloat(l.getAttribute('y1'))),
  legend: [...picture.querySelectorAll('.legend li')].map(l => l.textContent),
  lines: [...picture.querySelectorAll('.area > g.line')].filter(g => g.style.display !== 'none').map(g => ({
    name: g.dataset.name, colour: g.getAttribute('stroke'),
    paths: [...g.children].map(part => [part.classList[0], part.getAttribute('stroke-dasharray'),
        (part.getAttribute('d') ?? [...part.children].map(one => one.getAttribute('d')).join('')) || ''])}))
}))(document.querySelector('%s'))"""
PATHS_OF_STROKES = """[...document.querySelectorAll('#error .area > g.line')].filter(g => g.style.display !== 'none')
    .map(g => g.querySelector('.stroke').getAttribute('d'))"""
SVG = "{http://www.w3.org/2000/svg}"


def in_a_file(name):
    root = ElementTree.parse(Path(FOLDER.name, name)).getroot()
    groups = {group.get("class"): group for group in root.iter(SVG + "g")}
    area = next(svg for svg in root.iter(SVG + "svg") if svg.get("class") == "area")
    ticks = [[text.text, float(text.get("y")[:-1])] for text in groups["y-ticks"]]
    lines = []
    for line in area:
        paths = [[part.get("class"), part.get("stroke-dasharray"), part.get("d") or "".join(one.get("d") for one in part)]
                 for part in line]
        if any(path for _, _, path in paths):
            lines.append({"name": line.get("data-name"), "colour": line.get("stroke"), "paths": paths})
    return {"ticks": ticks, "grid": [float(one.get("y1")[:-1]) for one in groups["grid"]], "lines": lines}


def letters_and_numbers(path):
    """A path as its commands and as its numbers."""
    return re.sub(r"[-0-9.]+", "", path).split(), [float(number) for number in re.findall(r"-?[0-9.]+", path)]


def lightness(colour):
    return sum(int(part) for part in colour[colour.index("(") + 1:-1].split(",")[:3])


def contrast(one, other):
    """Of two colours, as WCAG 2 defines it: 1 to 21."""
    def luminance(colour):
        channels = [int(part) / 255 for part in colour[colour.index("(") + 1:-1].split(",")[:3]]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


class Page(unittest.TestCase):
    def setUp(self):
        PAGE.media()
        PAGE.size(1200, 900)
        PAGE.open(Path(FOLDER.name, "report.html"))

    def assert_nothing_wrong(self):
        self.assertEqual([e for e in PAGE.events if e.get("method") in WRONG], [])
        asked = [e["params"]["request"]["url"] for e in PAGE.events if e.get("method") == "Network.requestWillBeSent"]
        self.assertEqual(asked, [Path(FOLDER.name, "report.html").as_uri()])

    def test_every_plot_is_drawn_and_nothing_complains(self):
        for plot in PLOTS:
            self.assertGreater(inked(plot), 2000, plot)
        self.assertEqual(len(texts("#error .legend li")), 20)  # five inputs x two cuts, and two references
        self.assert_nothing_wrong()

    def assert_same_drawing(self, plot, file):
        page, other = PAGE.run(IN_A_PAGE % f"#{plot} .picture"), in_a_file(file)
        self.assertEqual([label for label, _ in page["ticks"]], [label for label, _ in other["ticks"]], file)
        for one, two in zip([at for _, at in page["ticks"]] + page["grid"], [at for _, at in other["ticks"]] + other["grid"],
                            strict=True):
            self.assertAlmostEqual(one, two, delta=0.011, msg=file)
        self.assertEqual([line["name"] for line in page["lines"]], [line["name"] for line in other["lines"]], file)
        self.assertEqual([name for name in page["legend"] if name], [line["name"] for line in page["lines"] if line["name"]], file)
        for one, two in zip(page["lines"], other["lines"]):
            self.assertEqual(one["colour"], two["colour"])
            for (part, dash, path), (wanted, its_dash, its_path) in zip(one["paths"], two["paths"], strict=True):
                self.assertEqual((part, dash), (wanted, its_dash), file)
                commands, numbers = letters_and_numbers(path)
                its_commands, its_numbers = letters_and_numbers(its_path)
                self.assertEqual(commands, its_commands, (file, one["name"], part))
                for a, b in zip(numbers, its_numbers, strict=True):
                    self.assertAlmostEqual(a, b, delta=0.11, msg=(file, one["name"], part))
                self.assertGreater(len(numbers), 3)

    # Every measure and every K: what the script moves stands where C++ draws it.
    def test_the_page_draws_what_the_files_have(self):
        measures = {option: file for option, file in zip(texts("#measure option"), MEASURES, strict=True)}
        for k in ["4096", "1024"]:
            if k == "1024":
                tick("4096")
                tick("1024")
            for measure, file in measures.items():
                choose("measure", measure)
                self.assert_same_drawing("error", f"{file}-K-{k}.svg")
            self.assert_same_drawing("bias", f"bias-K-{k}.svg")
            self.assert_same_drawing("cost", f"pareto-K-{k}.svg")
            choose("shape", k)
            self.assert_same_drawing("ulps", f"ulps-K-{k}.svg")
        self.assert_nothing_wrong()

    def test_several_values_are_several_pictures_on_one_scale(self):
        tick("1024")
        self.assertEqual(texts("#error h3"), ["K = 1024", "K = 4096"])
        self.assertEqual(texts("#cost h3"), ["K = 1024", "K = 4096"])
        scales = PAGE.run("[...document.querySelectorAll('#error .y-ticks')].map(g => g.outerHTML)")
        self.assertEqual(scales[0], scales[1])
        tick("1024")
        tick("4096")
        self.assertEqual(texts("#error h3"), [])
        self.assertEqual(texts("#error .note"), ["Nothing of this study fits what is shown."])
        self.assert_nothing_wrong()

    def test_one_input_by_itself_has_a_scale_that_fits(self):
        before = texts("#error .y-ticks text")
        for name in ["uniform", "outliers p = 0.001, s = 10", "log-uniform", "gradient <x>"]:
            tick(name)
        self.assertEqual(len(texts("#error .legend li") + texts("#error .labels text")), 4)  # two cuts, two references
        self.assertNotEqual(texts("#error .y-ticks text"), before)
        self.assert_scale_fits()
        self.assert_nothing_wrong()

    # Of powers of ten: some line between the last two at either end.
    def assert_scale_fits(self):
        step = 400 / (len(texts("#error .y-ticks text")) - 1)
        heights = [y for path in PAGE.run(PATHS_OF_STROKES) for y in letters_and_numbers(path)[1][1::2]]
        self.assertTrue(0 <= min(heights) < step and 400 - step < max(heights) <= 400, (step, min(heights), max(heights)))

    # Where all that is shown has one F, the others' errors take no room.
    def test_a_picture_of_one_value_is_as_large_as_its_lines(self):
        before = texts("#error .y-ticks text")
        choose("over", "input")
        self.assertEqual(texts("#error h3"), ["F = 35"])
        self.assertLess(len(texts("#error .y-ticks text")), len(before))
        self.assert_scale_fits()

    def test_the_spot_is_where_the_point_is(self):
        PAGE.run("document.querySelector('#error .canvas').scrollIntoView({block: 'center'})")
        PAGE.run("document.querySelector('#error .canvas').focus()")
        for width in [1200, 360]:
            PAGE.size(width, 900)
            PAGE.settle()
            for _ in range(3):
                PAGE.key("ArrowRight")
            spot, plot = box("#error .spot"), box("#error svg.plot")
            name = texts("#error .tip b")[0]
            column = int(name.split(",")[0][4:]) - 8
            x, y = letters_and_numbers(PAGE.run(PATHS_OF_STROKES)[0])[1][2 * column:2 * column + 2]
            self.assertAlmostEqual(spot["x"], plot["x"] + plot["width"] * (x / 640 - 0.5), delta=0.6, msg=name)
            self.assertAlmostEqual(spot["y"], plot["y"] + plot["height"] * (y / 400 - 0.5), delta=0.6, msg=name)

    def test_the_legend_names_what_is_drawn(self):
        choose("measure", "quantisation error")  # zero for log-uniform inputs
        self.assertEqual(len(texts("#error .legend li")), 16)
        self.assertFalse(any("log-uniform" in name for name in texts("#error .legend li")))
        self.assertIn("are left out", texts("#error .note")[0])

    def test_points_of_other_pictures_can_be_read_too(self):
        tick("1024")
        for plot, steps in [("error", 9), ("cost", 4)]:
            for k, picture in [("1024", 1), ("4096", 2)]:
                canvas = f"#{plot} .picture:nth-child({picture}) .canvas"
                PAGE.run(f"document.querySelector('{canvas}').scrollIntoView({{block: 'center'}});"
                         f"document.querySelector('{canvas}').focus()")
                for _ in range(steps):
                    PAGE.key("ArrowRight")
                by_keys, at = texts(f"{canvas} .tip > *"), box(f"{canvas} .spot")
                PAGE.run("document.activeElement.blur()")
                PAGE.mouse("mouseMoved", at["x"], at["y"])
                PAGE.settle()
                self.assertEqual(texts(f"{canvas} .tip > *"), by_keys)
                self.assertTrue(by_keys[0].endswith(f", normal, K = {k}"), by_keys)
                self.assertEqual(plot == "cost", "on the front" in by_keys or "behind the front" in by_keys)
                PAGE.mouse("mouseMoved", 1, 1)
        self.assert_nothing_wrong()

    def test_the_other_findings_are_one_click_away_and_on_paper(self):
        is_seen = "document.querySelector('details.rest ol').checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})"
        self.assertFalse(PAGE.run(is_seen))
        PAGE.media("print")
        PAGE.settle()
        self.assertTrue(PAGE.run(is_seen))
        self.assertEqual(box("details.rest summary")["height"], 0)
        PAGE.media()
        click("details.rest summary")
        self.assertTrue(PAGE.run(is_seen))

    def test_bands_may_be_left_out(self):
        self.assertNotEqual(style("#error .band", "display"), "none")
        PAGE.run("bands.click()")
        for plot in ["error", "bias"]:
            self.assertEqual(style(f"#{plot} .band", "display"), "none")

    def test_names_stand_beside_lines_where_they_are_few(self):
        for shown_inputs, width, few in [(1, 1200, True), (3, 1200, False), (1, 360, None)]:
            PAGE.size(width, 900)
            self.open_at(f"d2={'.'.join(str(i) for i in range(shown_inputs))}&d3=1&references=")
            names = [line["name"] for line in PAGE.run(IN_A_PAGE % "#error .picture")["lines"]]
            self.assertEqual(len(names), 2 * shown_inputs)
            for plot in ["error", "bias"]:
                labels, legend = texts(f"#{plot} .labels text"), texts(f"#{plot} .legend li")
                self.assertEqual(sorted(labels + legend), sorted(names), (plot, width))
                if few is not None:  # on a phone there may be no room
                    self.assertEqual(legend == [], few, (plot, width, shown_inputs))
                self.assert_readable(plot, (plot, width))
                self.assertEqual(self.labels_on_lines(plot), [], (plot, width))
        self.assert_nothing_wrong()

    # Names that a line runs through.
    def labels_on_lines(self, plot):
        return PAGE.run(f"""(() => {{
            const plot = document.querySelector('#{plot} svg.plot').getBoundingClientRect(), hit = [];
            for (const label of document.querySelectorAll('#{plot} .labels text')) {{
                const box = label.getBoundingClientRect();
                for (const stroke of document.querySelectorAll('#{plot} .area > g.line:not([style*=none]) .stroke')) {{
                    for (let at = 0; at < stroke.getTotalLength(); at += 2) {{
                        const p = stroke.getPointAtLength(at), x = plot.x + p.x * plot.width / 640, y = plot.y + p.y * plot.height / 400;
                        if (x > box.left && x < box.right && y > box.top + 3 && y < box.bottom - 3) {{ hit.push(label.textContent); break; }}
                    }}
                }}
            }}
            return hit; }})()""")

    def open_at(self, address):
        PAGE.run(f"location.hash = '{address}'")
        PAGE.settle()

    def test_points_of_the_front_have_their_names(self):
        self.open_at("d2=0&d3=1&references=")
        self.assertIn("Save these rows as CSV", texts("#csv"))
        rows = [(float(r["area"]), float(r["normwise"]), r["point"]) for r in self.rows_saved() if r["area"]]
        front = [name for area, error, name in rows if not any(a <= area and e <= error and (a, e) != (area, error) for a, e, _ in rows)]
        self.assertLess(len(front), len(rows))
        self.assertGreaterEqual(len(texts("#cost .labels text")), len(front) - 1)  # one has a neighbour too near
        for width in [360, 1200]:
            PAGE.size(width, 900)
            PAGE.settle()
            named = texts("#cost .labels text")
            self.assertTrue(named and set(named) <= set(front), named)
            self.assert_readable("cost", width)

    def rows_saved(self):
        text = saved("#csv", "made_up-rows.csv")
        self.assertEqual(text.count("\r\n"), text.count("\n"))
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def test_rows_are_saved_as_they_are_shown(self):
        tick("uniform")
        click(f"#rows th:nth-child({texts('#rows th').index('quantisation error') + 1}) button")
        rows = self.rows_saved()
        self.assertEqual(len(rows), SHOWN_FIRST * 4 // 5)
        self.assertEqual([float(r["quantisation"]) for r in rows], sorted(float(r["quantisation"]) for r in rows))
        self.assertEqual({r["input"] for r in rows}, {"normal", "outliers p = 0.001, s = 10", "log-uniform", "gradient <x>"})
        one = next(r for r in rows if r["F"] == "9" and r["cut"] == "downwards" and r["input"] == "normal")
        self.assertAlmostEqual(float(one["normwise"]), 0.375, places=6)  # 2^-9 x 64 x 3
        self.assertAlmostEqual(float(one["normwise_high"]), 0.4125, places=6)
        self.assertEqual((one["K"], one["results"], one["area"]), ("4096", "81920", "15500"))

    def test_a_plot_is_saved_as_it_is_shown(self):
        self.open_at("measure=total&d2=0.3&references=")
        shown = PAGE.run(IN_A_PAGE % "#error .picture:nth-child(2)")
        words = texts("#error .picture:nth-child(2) svg.plot text")
        text = saved("#error .pictures + div > button", "made_up-error.svg")
        root = ElementTree.fromstring(text)
        areas = [svg for svg in root.iter(SVG + "svg") if svg.get("class") == "area"]
        self.assertEqual(len(areas), 2)  # two K
        paths = [part.get("d") for part in areas[1].iter(SVG + "path")]
        self.assertEqual(paths, [path for line in shown["lines"] for _, _, path in line["paths"]])
        told = [one.text for one in root.iter(SVG + "text")]
        self.assertTrue(set(words) <= set(told), set(words) - set(told))
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "saved.svg").write_text(text)
            PAGE.open(Path(folder, "saved.svg"))  # without the page's style
            self.assertGreater(PAGE.count_pixels("Math.max(r, g, b) - Math.min(r, g, b) > 60", 84, 60, 640, 400), 2000)

    def test_the_address_holds_what_is_chosen(self):
        self.assertEqual(PAGE.run("location.hash"), "")
        choose("measure", "correctly rounded (%)")
        choose("bias-measure", "bias away from zero (ulps)")
        choose("over", "cut")
        choose("beside", "quantisation error")
        tick("uniform")
        tick("hopper:wgmma.m64nNk16.f32.f16.f16")
        PAGE.run("bands.click()")
        for _ in range(2):
            click("#rows th:nth-child(4) button")
        click("#rows tbody tr:nth-child(3) button")
        state = (f"[location.hash, {IN_A_PAGE % '#error .picture'}, {IN_A_PAGE % '#bias .picture'}, {IN_A_PAGE % '#ulps .picture'},"
                 " rows.innerText, document.body.className, beside.value, [...filters.querySelectorAll('input')].map(i => i.checked)]")
        before = PAGE.run(state)
        for address in ["about:blank", Path(FOLDER.name, "report.html").as_uri() + before[0]]:
            PAGE.events.clear()
            PAGE.send("Page.navigate", url=address)
            PAGE.wait_for("Page.loadEventFired")
        PAGE.settle()
        for one, two in zip(before, PAGE.run(state), strict=True):
            self.assertEqual(one, two)
        self.open_at("")
        self.assertEqual(PAGE.run("[measure.selectedOptions[0].text, over.selectedOptions[0].text, bands.checked]"), ["normwise relative error", "F", True])
        self.assertEqual(texts("#error h3"), ["K = 4096"])

    def test_an_address_of_another_study_does_no_harm(self):
        self.open_at("measure=none&bias=normwise&over=9&beside=x&d0=99.x&d3=1&references=0.400&row=100000&sort=99&y")
        self.assertEqual(PAGE.run("[measure.value, over.selectedOptions[0].text]"), ["0", "F"])
        self.assertIn("Nothing of this study fits what is shown.", texts("#error .note")[0])
        self.open_at("row=abc&sort=-x")
        self.assertGreater(inked("error"), 2000)
        self.assert_nothing_wrong()

    def test_quantisation_stands_beside_accumulation(self):
        self.assertEqual(texts("#beside option"), ["nothing", "quantisation error"])
        choose("beside", "quantisation error")
        names, rows = numbers_of("error")
        for f in ["8", "35"]:
            self.assertEqual(rows[f][names.index("cut = downwards, uniform: quantisation error")], "0.04")
        self.assertEqual(rows["9"][names.index("cut = downwards, normal")], "0.375")
        self.assertEqual(texts("#error .legend li")[-1], "broad and pale: quantisation error")
        ends = PAGE.run("(g => g.querySelector('path').getAttribute('d'))(document.querySelector('#error g.pale[data-name=\"cut = nearest even, normal\"]'))")
        at = {label: y for label, y in PAGE.run(IN_A_PAGE % "#error .picture")["ticks"]}  # per cent from the top
        decade = at["10⁻²"] - at["10⁻¹"]
        for y in letters_and_numbers(ends)[1][1::2]:
            self.assertAlmostEqual(y / 4, at["10⁻²"] - decade * math.log10(2), delta=0.1)  # 0.02
        self.assertEqual(PAGE.run("document.querySelectorAll('#bias .pale').length"), 0)
        choose("measure", "bias (ulps)")  # beside which it means nothing
        self.assertEqual(PAGE.run("document.querySelectorAll('.pale').length"), 0)
        self.assert_nothing_wrong()

    def test_another_report_stands_beside_this_one(self):
        said = hold_beside("other.html")
        self.assertEqual(said, "464 of 580 rows are in other.html (Another <b>run</b>) too, which has 464. In 16 of them the normwise relative error"
                               " is another, most so for F = 8, cut = nearest even, normal, K = 1024: 0.125 here, 0.5 there.")
        self.assertEqual(texts("#beside option:checked"), ["the other report"])
        names, rows = numbers_of("error")
        for f, here, there in [("8", "0.75", "3"), ("9", "0.375", "0.375")]:
            self.assertEqual(rows[f][names.index("cut = downwards, normal")], here)
            self.assertEqual(rows[f][names.index("cut = downwards, normal: the other report, other.html")], there)
        self.assertEqual(rows["8"][names.index("cut = downwards, gradient <x>: the other report, other.html")], "–")
        self.assertEqual(PAGE.run("[...document.querySelectorAll('#error .area > .pale')].filter(g => g.style.display === '').length"), 8)
        self.assert_lines_lie_within("error")
        self.assertEqual(texts("#error .y-ticks text")[-1], "10²")  # 12, of log-uniform
        by_page = PAGE.run(IN_A_PAGE % "#error .picture")["lines"]
        self.assertEqual(hold_beside("other.json"), said.replace("other.html", "other.json"))
        for one, two in zip(PAGE.run(IN_A_PAGE % "#error .picture")["lines"], by_page, strict=True):
            self.assertEqual(one["paths"], two["paths"])
        choose("beside", "instead: the change")
        names, rows = numbers_of("error")
        self.assertEqual([rows[f][names.index("cut = nearest even, uniform")] for f in ["8", "9", "35"]], ["4", "1", "1"])
        names, rows = numbers_of("bias")
        self.assertEqual([rows[f][names.index("cut = nearest even, uniform")] for f in ["8", "9", "35"]], ["0", "20", "0"])
        # On a linear scale the quotients of 4 and 1 stand where its numbers say.
        at = PAGE.run(IN_A_PAGE % "#error .picture")["ticks"]
        (low, y_low), (high, y_high) = [(number(label), y) for label, y in [at[0], at[-1]]]
        ys = letters_and_numbers(PAGE.run(PATHS_OF_STROKES)[0])[1][1::2]
        for y, value in [(ys[0], 4), (ys[1], 1)]:
            self.assertAlmostEqual(y / 4, y_low + (y_high - y_low) * (value - low) / (high - low), delta=0.05)
        for plot in ["error", "bias"]:
            self.assert_lines_lie_within(plot)
        self.assertEqual(texts("#error .y-name"), ["normwise relative error, other / here"])
        self.assertEqual(texts("#bias .y-name"), ["bias (ulps), other − here"])
        self.assertGreater(inked("error"), 1000)
        for plot in ["error", "bias"]:
            self.assert_readable(plot, "change")
        self.assertNotIn("change", PAGE.run("location.hash"))  # no address can hold a file
        rows = self.rows_saved()
        self.assertEqual({r["F"] for r in rows if r["normwise_other"] and r["normwise_other"] != r["normwise"]}, {"8"})
        self.assertEqual({r["input"] for r in rows if not r["normwise_other"]}, {"gradient <x>"})

    def assert_lines_lie_within(self, plot):
        drawn = PAGE.run(PATHS_OF_STROKES.replace("#error", f"#{plot}"))
        self.assertGreater(len(drawn), 10)
        for path in drawn:
            self.assertTrue(all(0 <= y <= 400 for y in letters_and_numbers(path)[1][1::2]), (plot, path))

    def test_a_report_may_be_dropped(self):
        text = Path(FOLDER.name, "other.json").read_text()
        PAGE.run("(text => { const data = new DataTransfer(); data.items.add(new File([text], 'dropped.json'));"
                 f" document.body.dispatchEvent(new DragEvent('drop', {{dataTransfer: data, bubbles: true, cancelable: true}})); }})({json.dumps(text)})")
        time.sleep(0.1)
        PAGE.settle()
        self.assertIn("464 of 580 rows are in dropped.json", texts("#compared")[0])
        self.assert_nothing_wrong()

    def test_what_cannot_be_compared_is_said(self):
        self.assertEqual(hold_beside("normwise-K-4096.svg"), "normwise-K-4096.svg is neither a report.html nor a result.json of assay explore.")
        self.assertEqual(hold_beside("empty.html"), "No row of empty.html has the axes, input and shape of a row here: there is nothing to compare.")
        self.assertEqual(hold_beside("report.html").split(". ")[1], "In none of them is the normwise relative error another.")
        self.assert_nothing_wrong()

    def test_no_heading_is_printed_without_what_it_announces(self):
        empty = """[...document.querySelectorAll('h2, h3, summary')].filter(h => h.checkVisibility() && h.getBoundingClientRect().height > 0 && h.textContent).filter(h => {
            const next = []; for (let e = h.nextElementSibling; e; e = e.nextElementSibling) next.push(e);
            return !next.some(e => e.checkVisibility({contentVisibilityAuto: true}) && e.getBoundingClientRect().height > 0); }).map(h => h.textContent)"""
        for file in ["report.html", "empty.html"]:
            PAGE.media()
            PAGE.open(Path(FOLDER.name, file))
            PAGE.run("document.querySelector('main').insertAdjacentHTML('beforeend', '<details class=budget><summary>One row</summary><p>Its places</p></details>')")
            self.assertIn("One row", PAGE.run(empty))
            PAGE.media("print")
            PAGE.settle()
            self.assertEqual(PAGE.run(empty), [], file)
            self.assertEqual([e for e in PAGE.events if e.get("method") in WRONG], [])

    def test_without_script_the_plots_are_there(self):
        PAGE.send("Emulation.setScriptExecutionDisabled", value=True)
        try:
            PAGE.open(Path(FOLDER.name, "report.html"), settle=False)
            self.assertEqual(texts("#rows tbody tr"), [])
            for plot in PLOTS:
                self.assertGreater(inked(plot), 2000, plot)
            for plot, file in [("error", "normwise"), ("bias", "bias"), ("cost", "pareto")]:
                self.assert_same_drawing(plot, f"{file}-K-4096.svg")
        finally:
            PAGE.send("Emulation.setScriptExecutionDisabled", value=False)

    def test_axes_can_be_read_at_every_width(self):
        for width, media in [(360, ""), (680, "print"), (1200, "")]:
            PAGE.size(width, 900)
            PAGE.media(media)
            for over in ["K", "cut", "F"]:
                choose("over", over)
                for plot in PLOTS if over == "F" else ["error", "bias"]:
                    self.assert_readable(plot, (plot, over, width))

    # No text of a plot lies on another or is cut off.
    def assert_readable(self, plot, where):
        boxes = PAGE.run(f"[...document.querySelectorAll('#{plot} .canvas, #{plot} svg.plot text')].map(t => {{"
                         " const r = t.getBoundingClientRect(); return [t.textContent, r.left, r.right, r.top, r.bottom]; })"
                         ".filter(b => b[2] > b[1])")
        (_, least, greatest, _, _), *boxes = boxes
        self.assertGreater(len(boxes), 6, where)
        for i, (text, left, right, top, bottom) in enumerate(boxes):
            self.assertTrue(least <= left and right <= greatest, (where, text, left, right, least, greatest))
            for other, l, r, t, b in boxes[:i]:
                apart = right <= l or r <= left or bottom - 3 <= t or b - 3 <= top
                self.assertTrue(apart, (where, text, other))

    def test_what_the_study_says_stays_text(self):
        self.assertEqual(PAGE.run("document.title"), TITLE)
        self.assertEqual(texts("h1"), [TITLE])
        self.assertEqual(PAGE.run("document.scripts.length"), 2)
        self.assertIn("</pre><script>", texts("pre")[0])
        self.assertEqual(len(texts(".findings li")), 4)
        self.assertIn("measured -0.2503, published -0.25", texts(".findings li")[2])

    def test_nothing_else_may_run_or_be_fetched(self):
        PAGE.run("(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
                 " document.body.append(s); })()")
        self.assertIsNone(PAGE.run("window.ran"))
        self.assertEqual(PAGE.run("fetch('https://example.invalid/').then(() => 'sent', e => e.name)"), "TypeError")
        blocked = [e["params"]["entry"]["text"] for e in PAGE.events if e.get("method") == "Log.entryAdded"]
        self.assertEqual(sum("Content Security Policy" in text for text in blocked), len(blocked))
        self.assertGreaterEqual(len(blocked), 2)

    def test_pointing_shows_the_values_of_the_row(self):
        click("#more")
        names = texts("#rows th")
        for plot, steps in [("error", 5), ("error", 17), ("bias", 11)]:
            PAGE.run(f"document.querySelector('#{plot} .canvas').scrollIntoView({{block: 'center'}})")
            PAGE.run(f"document.querySelector('#{plot} .canvas').focus()")
            for _ in range(steps):
                PAGE.key("ArrowRight")
            by_keys = texts(f"#{plot} .tip > *")
            at = box(f"#{plot} .spot")
            PAGE.run("document.activeElement.blur()")
            self.assertEqual(box(f"#{plot} .tip")["width"], 0)
            PAGE.mouse("mouseMoved", at["x"], at["y"])
            PAGE.settle()
            shown = texts(f"#{plot} .tip > *")
            self.assertEqual(shown, by_keys)
            self.assertIn(f"F = {7 + steps}, cut = nearest even, normal, K = 4096", shown)
            row = PAGE.run("[...document.querySelectorAll('#rows tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
                           f".find(r => r[0] === 'F = {7 + steps}, cut = nearest even' && r[1] === 'normal' && r[2] === '4096')")
            for line in shown[1:]:
                name, value = line.split(": ")
                self.assertEqual(value.split(" (")[0], row[names.index(name)], line)
            PAGE.mouse("mouseMoved", 1, 1)
        self.assert_nothing_wrong()

    def test_choosing_a_point_shows_its_distances(self):
        PAGE.run("document.querySelector('#error .canvas').focus()")
        for key in ["ArrowRight", "ArrowRight", "ArrowDown", "Enter"]:
            PAGE.key(key)
        self.assertEqual(texts("#ulps .note"), ["F = 9, cut = nearest even, uniform, K = 4096: 81920 results."])
        self.assertEqual(PAGE.run("[point, input, shape].map(s => document.getElementById(s.id).selectedOptions[0].text)"),
                         ["F = 9, cut = nearest even", "uniform", "4096"])
        click("#rows tbody tr:nth-child(5) button")
        self.assertIn("gradient <x>", texts("#ulps .note")[0])
        self.assertIn("3 results are NaN or infinite", texts("#ulps .note")[0])

    def test_the_table_sorts_by_click_and_by_key(self):
        name = "normwise relative error"
        at = texts("#rows th").index(name) + 1
        click(f"#rows th:nth-child({at}) button")
        up = [number(cell) for cell in column(name)]
        self.assertEqual(len(up), 200)
        self.assertEqual(up, sorted(up))
        self.assertLess(up[0], up[-1])
        self.assertEqual(PAGE.run(f"document.querySelector('#rows th:nth-child({at})').ariaSort"), "ascending")
        PAGE.run(f"document.querySelector('#rows th:nth-child({at}) button').focus()")
        PAGE.key("Enter")
        PAGE.settle()
        down = [number(cell) for cell in column(name)]
        self.assertEqual(down, sorted(down, reverse=True))
        self.assertEqual(PAGE.run(f"document.querySelector('#rows th:nth-child({at})').ariaSort"), "descending")
        self.assertEqual(PAGE.run("document.querySelectorAll('#rows th[aria-sort=none]').length"), len(texts("#rows th")) - 1)
        # Points without a cost come last, either way.
        at = texts("#rows th").index("cells") + 1
        click("#more")
        for _ in range(2):
            click(f"#rows th:nth-child({at}) button")
            self.assertNotEqual(column("cells")[0], "–")
            self.assertEqual(column("cells")[-1], "–")

    def test_filters_choose_lines_and_rows(self):
        self.assertTrue(texts("#row-count")[0].startswith(f"{SHOWN_FIRST} of {ROWS} rows"))
        tick("uniform")
        self.assertTrue(texts("#row-count")[0].startswith(f"{SHOWN_FIRST * 4 // 5} of {ROWS} rows"))
        self.assertEqual(len(texts("#error .legend li")), 16)
        self.assertNotIn("uniform", column("input"))
        self.assertIn("normal", column("input"))

    def test_over_another_axis_and_of_another_measure(self):
        self.assertEqual(texts("#error .note"), ["Of K this is 4096 alone."])
        choose("over", "K")
        choose("measure", "correctly rounded (%)")
        self.assertEqual(texts("#error .note"), ["Of F this is 35 alone."])
        self.assertEqual(texts("#error h3"), ["F = 35"])
        self.assertIn("correctly rounded (%) over K, 20 lines", PAGE.run("document.querySelector('#error .canvas').ariaLabel"))
        self.assertGreater(inked("error"), 1000)
        PAGE.run("document.querySelector('#error summary').click()")
        PAGE.settle()
        self.assertEqual(texts("#error details tbody th"), ["1024", "4096"])
        self.assert_nothing_wrong()

    def test_numbers_stand_behind_each_plot(self):
        for plot in PLOTS:
            PAGE.run(f"document.querySelector('#{plot} summary').click()")
            PAGE.settle()
            self.assertGreater(len(texts(f"#{plot} details tbody tr")), 10, plot)
        self.assertIn("0.25", texts("#error details tbody td"))

    def test_everything_that_is_worked_has_a_name(self):
        nameless = PAGE.run("[...document.querySelectorAll('button, select, input, [tabindex]')].filter(e =>"
                            " !(e.textContent.trim() || e.ariaLabel || e.labels?.[0]?.textContent.trim() ||"
                            " e.getAttribute('aria-labelledby'))).map(e => e.outerHTML)")
        self.assertEqual(nameless, [])
        self.assertEqual(PAGE.run("document.documentElement.lang"), "en")

    def test_letters_and_lines_stand_out(self):
        for dark in [False, True]:
            PAGE.media(dark=dark)
            paper = style("body", "backgroundColor")
            for letters in ["body", ".note", "summary", ".numbers"]:
                self.assertGreaterEqual(contrast(style(letters, "color"), paper), 4.5, (letters, dark))
            for line in range(6):
                PAGE.run(f"document.body.style.outlineColor = 'var(--line{line})'")
                self.assertGreaterEqual(contrast(style("body", "outlineColor"), paper), 3, (line, dark))

    def test_dark_by_the_system_and_by_the_button(self):
        self.assertGreater(lightness(style("body", "backgroundColor")), 700)
        PAGE.media(dark=True)
        PAGE.settle()
        self.assertLess(lightness(style("body", "backgroundColor")), 120)
        self.assertGreater(lightness(style("body", "color")), 600)
        click("#theme")
        self.assertGreater(lightness(style("body", "backgroundColor")), 700)
        self.assertEqual(texts("#theme"), ["Dark"])
        self.assert_nothing_wrong()

    def test_a_phone_scrolls_no_page_sideways(self):
        PAGE.size(360, 740, mobile=True)
        PAGE.open(Path(FOLDER.name, "report.html"))
        self.assertLessEqual(PAGE.run("document.documentElement.scrollWidth"), 360)
        self.assertEqual(PAGE.run("window.innerWidth"), 360)
        self.assertGreater(PAGE.run("document.querySelector('#rows').parentElement.scrollWidth"), 360)
        for plot in PLOTS:
            self.assertGreater(inked(plot), 1000, plot)
            self.assertLessEqual(box(f"#{plot} svg.plot")["width"], 360)

    def test_paper_is_light_and_without_controls(self):
        PAGE.media("print", dark=True)
        PAGE.settle()
        self.assertGreater(lightness(style("body", "backgroundColor")), 700)
        for gone in ["#theme", "#filters", "#measure", "#more"]:
            self.assertEqual(box(gone)["height"], 0, gone)
        for plot in PLOTS:
            self.assertGreater(box(f"#{plot} svg.plot")["height"], 100, plot)
            self.assertGreater(inked(plot), 2000, plot)
        PAGE.media(dark=True)
        PAGE.settle()
        self.assertLess(lightness(style("body", "backgroundColor")), 120)

    def test_it_looks_as_it_did(self):
        held = pages.PageTest()
        held.page = PAGE
        for name, part, dark in [("study", "#error", False), ("study-front", "#cost", False), ("study-dark", "#error", True)]:
            PAGE.media(dark=dark)
            PAGE.settle()
            held.assert_looks_as_it_did(name, part)
        # The tolerance is not so wide that anything passes.
        PAGE.run("document.querySelector('#error .labels, #error .area').remove()")
        self.assertGreater(held.unlike("study-dark", "#error"), 0.015)

    def test_it_prints(self):
        self.assertTrue(PAGE.send("Page.printToPDF", printBackground=True)["data"].startswith("JVBER"))  # "%PDF"
        self.assert_nothing_wrong()


class Svg(unittest.TestCase):
    def test_all_are_xml(self):
        files = sorted(Path(FOLDER.name).glob("*.svg"))
        self.assertEqual(len(files), 26)
        for file in files:
            root = ElementTree.parse(file).getroot()
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertTrue(any(line.text.startswith("Width & cut of \"an\"") for line in root.iter("{http://www.w3.org/2000/svg}text")))

    def test_no_text_lies_on_another_or_outside(self):
        PAGE.media()
        for name in ["normwise-K-4096", "bias-K-4096", "correct-K-1024", "ulps-K-4096", "pareto-K-4096"]:
            PAGE.open(Path(FOLDER.name, name + ".svg"))
            boxes = PAGE.run("[...document.querySelectorAll('text')].map(t => { const r = t.getBoundingClientRect();"
                             " return [t.textContent, r.left, r.right, r.top, r.bottom]; })")
            width, height = PAGE.run("(r => [r.right, r.bottom])(document.documentElement.getBoundingClientRect())")
            self.assertGreater(len(boxes), 10)
            for i, (text, left, right, top, bottom) in enumerate(boxes):
                self.assertTrue(0 <= left and right <= width and 0 <= top and bottom <= height, (name, text))
                # The boxes of lines below each other touch; letters fill about two thirds of theirs.
                for other, l, r, t, b in boxes[:i]:
                    apart = right <= l or r <= left or bottom - 3 <= t or b - 3 <= top
                    self.assertTrue(apart, (name, text, other))


if __name__ == "__main__":
    if browser.find() is None:
        print("SKIPPED: there is no chromium here; scripts/setup installs it. Nothing of the page was looked at.")
        sys.exit(77)
    unittest.main()
