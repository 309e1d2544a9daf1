"""Headless Chromium, driven over two pipes by its DevTools protocol: JSON messages that end in a zero byte."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe"]
PATIENCE = 60  # seconds for one answer, on a machine with other things to do


def find():
    """The program, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to_write = os.pipe()
        self.to_listen, to_answer = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4; through higher ones, since either may be in use here.
        ends = [os.dup(to_read), os.dup(to_answer)]
        high = [os.dup2(end, 100 + i) for i, end in enumerate(ends)]
        command = ["bash", "-c", 'exec "$@" 3<&100 4>&101', "bash", find(), *FLAGS, f"--user-data-dir={self.profile.name}", "about:blank"]
        # What it leaves in the folder for temporary files goes with the profile.
        self.process = subprocess.Popen(command, pass_fds=high, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        env={**os.environ, "TMPDIR": self.profile.name})
        for end in [to_read, to_answer, *ends, *high]:
            os.close(end)
        self.received = b""
        self.last = 0
        self.events = []
        self.session = None
        try:
            self.attach()
        except BaseException:
            self.close()
            raise

    def attach(self):
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.send(f"{domain}.enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to_write)
        os.close(self.to_listen)
        self.profile.cleanup()

    def next_message(self, deadline):
        while b"\0" not in self.received:
            if not select.select([self.to_listen], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer.")
            more = os.read(self.to_listen, 1 << 20)
            if not more:
                raise EOFError("Chromium has ended.")
            self.received += more
        message, self.received = self.received.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.next_message(deadline)
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, event):
        deadline = time.monotonic() + PATIENCE
        while not any(e.get("method") == event for e in self.events):
            self.events.append(self.next_message(deadline))

    def open(self, path, settle=True):
        self.events.clear()
        self.send("Page.navigate", url=path.as_uri())
        self.wait_for("Page.loadEventFired")
        if settle:
            self.settle()

    def settle(self):
        """Until what was to be drawn is drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def run(self, script):
        """The value of a JavaScript expression."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def size(self, width, height, mobile=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def media(self, kind="", dark=False):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.send("Emulation.setEmulatedMedia", media=kind, features=features)

    def mouse(self, kind, x, y):
        button = {"button": "left", "clickCount": 1} if kind != "mouseMoved" else {}
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **button)

    def key(self, name):
        text = {"text": "\r"} if name == "Enter" else {}
        code = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "Escape": 27}[name]
        for kind in ["keyDown", "keyUp"]:
            self.send("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code, **text)

    def count_pixels(self, test, x, y, width, height):
        """How many pixels of a part of the page pass `test`, an expression of r, g and b."""
        clip = {"x": x, "y": y, "width": width, "height": height, "scale": 1}
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        return self.run(f"""(async () => {{
            const bytes = Uint8Array.from(atob("{data}"), c => c.charCodeAt(0));
            const picture = await createImageBitmap(new Blob([bytes]));
            const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
            context.drawImage(picture, 0, 0);
            const all = context.getImageData(0, 0, picture.width, picture.height).data;
            let count = 0;
            for (let i = 0; i < all.length; i += 4) {{ const [r, g, b] = all.subarray(i, i + 3); count += {test}; }}
            return count; }})()""")

    def screenshot(self, path, whole=False):
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))
