"""assemble.py OUT VERSION ENGINE_FOLDER SOURCES LICENCE..: explorer.html, all of it in one file."""

import base64
import gzip
import hashlib
import html
import json
import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent
SCRIPTS = ["state.js", "grid.js", "engine.js", "operands.js", "editor.js", "explorer.js"]
CODEMIRROR = Path("/usr/share/javascript/codemirror")
# What is shown where neither the address nor `assay explain --html` says anything.
FIRST_CASE = {"units": [{"instruction": "hopper:wgmma.m64nNk16.f32.f16.f16"}],
              "operands": {"a": ["3c00", "2c01"], "b": ["3c00", "2c03"], "c": ["bf7fffff"]}}


def allowed(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def read(path):
    return Path(path).read_text(encoding="utf-8", errors="replace")


def in_page(path):
    return read(path).replace("</script", "<\\/script")


def main():
    out, version, engine, sources, *licences = sys.argv[1:]
    style = read(CODEMIRROR / "lib/codemirror.css") + read(Path(sources, "tb/explore/report/page.css")) + read(PAGE / "explorer.css")
    glue = in_page(Path(engine, "engine.js"))
    editor = in_page(CODEMIRROR / "lib/codemirror.js") + in_page(CODEMIRROR / "mode/yaml/yaml.js")
    script = "(() => {\n" + "".join(read(PAGE / name).replace('"use strict";\n', "") for name in SCRIPTS) + "})();\n"
    script = '"use strict";\n' + script
    packed = gzip.compress(Path(engine, "engine.wasm").read_bytes(), 9, mtime=0)
    configs = {f"/configs/{folder}/{file.name}": read(file)
               for folder in ["arch", "datapath", "formats"] for file in sorted(Path(sources, "configs", folder).glob("*.yaml"))}
    # By the package that each is of; what holds these sources may be called anything.
    names = ["assay" if Path(path).parent == Path(sources) else Path(path).parent.name for path in licences]
    texts = [f"{'=' * 20} {name}\n{read(path)}" for name, path in zip(names, licences) if Path(path).is_file()]
    values = {
        "style": style, "style_hash": allowed(style), "hashes": f"{allowed(glue)} {allowed(editor)} {allowed(script)}",
        "version": version, "licences": html.escape("\n".join(texts)), "glue": glue, "editor": editor, "script": script,
        "engine": base64.b64encode(packed).decode(), "configs": json.dumps(configs).replace("<", "\\u003c"),
        "case": json.dumps(FIRST_CASE)}
    text = re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], read(PAGE / "explorer.html"))
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    Path(out).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
