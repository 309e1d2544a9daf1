"use strict";
// The model: WebAssembly that was packed into the page, and the catalogue's files, which it reads as on a disk.

async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

// `ask` takes a request and gives its answer; docs/browser.md lists them.
async function start_engine(packed, files) {
  const engine = await loadAssay({wasmBinary: await unpacked(packed)});
  for (const [path, text] of Object.entries(files)) {
    engine.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    engine.FS.writeFile(path, text);
  }
  const with_text = (text, use) => {
    const size = engine.lengthBytesUTF8(text) + 1, at = engine._malloc(size);
    try {
      engine.stringToUTF8(text, at, size);
      return use(at);
    } finally {
      engine._free(at);
    }
  };
  with_text("/", folder => engine._assay_open(folder));
  return {
    ask: request => JSON.parse(with_text(JSON.stringify(request), at => engine.UTF8ToString(engine._assay_answer(at)))),
    // The bytes of a file of zstd; null where it is damaged.
    unzstd: packed => {
      const at = engine._malloc(packed.length);
      engine.HEAPU8.set(packed, at);
      const is_whole = engine._assay_unzstd(at, packed.length);
      engine._free(at);
      const from = engine._assay_unzstd_bytes();
      return is_whole ? engine.HEAPU8.slice(from, from + engine._assay_unzstd_size()) : null;
    },
  };
}
