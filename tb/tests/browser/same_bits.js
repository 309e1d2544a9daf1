// node same_bits.js PAGE: the engine inside explorer.html as a filter, a request a line, an answer a line.
"use strict";
const fs = require("fs"), zlib = require("zlib"), readline = require("readline");

delete globalThis.fetch;  // as in the page, nothing is fetched
const page = fs.readFileSync(process.argv[2], "utf8");
const inside = begin => { const from = page.indexOf(begin) + begin.length; return page.slice(from, page.indexOf("</script>", from)); };
const loadAssay = new Function("module", "exports", "require", "process", "__filename", "__dirname",
  inside('<script>') + "; return loadAssay;")({}, {}, require, process, process.argv[2], ".");

(async () => {
  const engine = await loadAssay({wasmBinary: zlib.gunzipSync(Buffer.from(inside('id="engine">'), "base64"))});
  for (const [path, text] of Object.entries(JSON.parse(inside('id="configs">')))) {
    engine.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    engine.FS.writeFile(path, text);
  }
  const with_text = (text, use) => {
    const size = engine.lengthBytesUTF8(text) + 1, at = engine._malloc(size);
    engine.stringToUTF8(text, at, size);
    const result = use(at);
    engine._free(at);
    return result;
  };
  with_text("/", at => engine._assay_open(at));
  for await (const line of readline.createInterface({input: process.stdin, crlfDelay: Infinity}))
    process.stdout.write(with_text(line, at => engine.UTF8ToString(engine._assay_answer(at))) + "\n");
})().catch(error => { console.error(String(error.message).slice(0, 500)); process.exit(1); });
