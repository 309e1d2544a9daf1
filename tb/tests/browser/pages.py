"""What tests of a page share: a browser with the page's own questions."""

import base64
import json
import os
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "report"))
import browser  # noqa: E402  (it lies beside the other page's test)

WRONG = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
GOLDEN = Path(__file__).with_name("golden")
WIDTH = 240  # of a golden picture


class Page(browser.Browser):
    def __init__(self):
        super().__init__()
        self.send("DOM.enable")

    def show(self, path, address=""):
        """Opens a page anew and waits until it is drawn."""
        self.events.clear()
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=Path(path).resolve().as_uri() + address)
        deadline = time.monotonic() + browser.PATIENCE
        while not self.run("document.readyState === 'complete' && (document.body.dataset.ready ?? document.body.dataset.drawn ?? '')"):
            if time.monotonic() > deadline:
                raise TimeoutError("The page is not drawn.")
            time.sleep(0.02)
        self.settle()

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''")

    def texts(self, selector):
        return self.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")

    def box(self, selector):
        return self.run(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
                        " const r = e.getBoundingClientRect();"
                        " return {x: r.x + r.width / 2, y: r.y + r.height / 2, width: r.width, height: r.height}; })()")

    def click(self, selector):
        at = self.box(selector)
        self.mouse("mousePressed", at["x"], at["y"])
        self.mouse("mouseReleased", at["x"], at["y"])
        self.settle()

    def touch(self, selector):
        at = self.box(selector)
        self.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": at["x"], "y": at["y"]}])
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.settle()

    def press(self, name, text=""):
        """A key, by its name in DOM; `text` is what it types."""
        code = {"ArrowLeft": 37, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "Escape": 27, "Tab": 9, " ": 32}.get(name, ord(name[0].upper()))
        self.send("Input.dispatchKeyEvent", type="keyDown", key=name, windowsVirtualKeyCode=code, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code)
        self.settle()

    def type_over(self, selector, text):
        self.run(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.focus(); e.select(); }})()")
        self.send("Input.insertText", text=text)
        self.press("Enter", "\r")

    def complaints(self):
        """What the page said to the console, and what it asked the network for."""
        said = [e for e in self.events if e.get("method") in WRONG]
        asked = [e["params"]["request"]["url"][:80] for e in self.events if e.get("method") == "Network.requestWillBeSent"]
        return said, [url for url in asked if not url.startswith(("file:", "about:", "data:"))]

    def small_picture(self, selector, width):
        """Grey values of a part of the page, drawn `width` wide, and the PNG of it."""
        at = self.box(selector)
        at = self.run(f"(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                      " return {x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height, scale: 1}; })()")
        shot = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=at)["data"]
        return self.pixels(shot, width)

    def pixels(self, png, width):
        return self.run(f"""(async () => {{
            const bytes = Uint8Array.from(atob("{png}"), c => c.charCodeAt(0));
            const picture = await createImageBitmap(new Blob([bytes]));
            const height = Math.round(picture.height * {width} / picture.width);
            const canvas = new OffscreenCanvas({width}, height), context = canvas.getContext("2d");
            context.imageSmoothingQuality = "high";
            context.drawImage(picture, 0, 0, {width}, height);
            const all = context.getImageData(0, 0, {width}, height).data, grey = [];
            for (let i = 0; i < all.length; i += 4) grey.push(Math.round((all[i] + all[i + 1] + all[i + 2]) / 3));
            const blob = await canvas.convertToBlob({{type: "image/png"}});
            const made = new Uint8Array(await blob.arrayBuffer());
            return {{grey, png: btoa(String.fromCharCode(...made))}}; }})()""")


def difference(one, other):
    """0 where two pictures are the same, 1 where every pixel is the opposite; of different sizes 1."""
    if len(one) != len(other):
        return 1
    return sum(abs(x - y) for x, y in zip(one, other)) / 255 / len(one)


class PageTest(unittest.TestCase):
    page = None  # a Page

    def assert_nothing_wrong(self):
        said, asked = self.page.complaints()
        self.assertEqual(said, [])
        self.assertEqual(asked, [])

    def assert_every_control_has_a_name(self):
        nameless = self.page.run("[...document.querySelectorAll('button, select, input, textarea, [tabindex]:not([tabindex=\"-1\"]), [role=region]')].filter(e =>"
                                 " !(e.textContent.trim() || e.ariaLabel || e.labels?.[0]?.textContent.trim() ||"
                                 " e.getAttribute('aria-labelledby'))).map(e => e.outerHTML)")
        self.assertEqual(nameless, [])
        ids = self.page.run("[...document.querySelectorAll('[id]')].map(e => e.id)")
        self.assertEqual(len(ids), len(set(ids)))

    def assert_looks_as_it_did(self, name, selector, tolerance=0.015):
        """Held to golden/NAME.png, which ASSAY_UPDATE_GOLDEN=1 writes anew."""
        if os.environ.get("ASSAY_UPDATE_GOLDEN"):
            made = self.page.small_picture(selector, WIDTH)
            (GOLDEN / f"{name}.png").write_bytes(base64.b64decode(made["png"]))
        self.assertLess(self.unlike(name, selector), tolerance, f"{name} does not look as golden/{name}.png does.")

    def unlike(self, name, selector):
        made = self.page.small_picture(selector, WIDTH)
        kept = self.page.pixels(base64.b64encode((GOLDEN / f"{name}.png").read_bytes()).decode(), WIDTH)
        return difference(made["grey"], kept["grey"])
