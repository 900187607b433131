/** Put in front of a driver: writes the texts of a candidate into the copy, and restores those of the earlier one. */
const { mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');

/** Returns a function that places the files of a candidate. `changed` gets each path that was written or removed. */
function openPlacedFiles(changed = () => {}) {
  const originals = new Map();
  let placed = new Set();
  const keepOriginal = path => {
    if (originals.has(path)) return;
    try {
      originals.set(path, readFileSync(path, 'utf8'));
    } catch {
      // the candidate creates this file
      originals.set(path, null);
    }
  };
  const put = (path, text) => {
    if (text === null) rmSync(path, { force: true });
    else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    changed(path);
  };
  return files => {
    for (const path of placed) if (!(path in files)) put(path, originals.get(path));
    placed = new Set(Object.keys(files));
    for (const [path, text] of Object.entries(files)) {
      keepOriginal(path);
      put(path, text);
    }
  };
}
