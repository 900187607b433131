/** Put in front of a driver: writes the texts of a candidate into the copy, and restores those of the earlier one. */
const {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} = require('node:fs');
const { dirname } = require('node:path');

/** Writes a file in its place; false if it does not exist. A file system may write one that was emptied to the disk at once. */
function overwrite(path, text) {
  let file;
  try {
    file = openSync(path, 'r+');
  } catch {
    return false;
  }
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
  ftruncateSync(file, bytes.length);
  closeSync(file);
  return true;
}

/** Returns a function that places the files of a candidate. */
function openPlacedFiles() {
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
    else if (!overwrite(path, text)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
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
