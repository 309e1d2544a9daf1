"use strict";
// The model: WebAssembly that was packed into the page, and the catalogue's files, which it reads as on a disk.

const gunzip = async bytes => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());

const unpacked = base64 => gunzip(Uint8Array.from(atob(base64), character => character.charCodeAt(0)));

// A file of gzip may be several members, one after the other, of which a browser takes one alone. A member ends where
// the next begins, or the file: whether what looks like a beginning is one, the check sum of what stands before it says.
async function gunzip_members(bytes) {
  const alone = await gunzip(bytes).catch(() => null);
  if (alone) return alone;
  const begins = at => bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 8;
  const parts = [];
  for (let from = 0, to = 1; from < bytes.length; ++to) {
    while (to < bytes.length && !begins(to)) ++to;
    const part = await gunzip(bytes.subarray(from, to)).catch(() => null);
    if (!part && to === bytes.length) throw new Error("damaged");
    if (!part) continue;
    parts.push(part);
    from = to;
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
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
