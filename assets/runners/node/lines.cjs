/** Writes the lines that a run of the tests ran, from what V8 or jest left in a folder, and removes the folder. */
const { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { SourceMap } = require('node:module');
const { join, relative, resolve, sep } = require('node:path');
const { fileURLToPath } = require('node:url');

const maxFiles = 400;
const maxLength = 8_000_000;
const [folder, output] = process.argv.slice(-2);
/** Lines by path. A script that ran has an entry, even if none of its lines are known. */
const files = {};

/** The path of a file of the project; undefined for another one. */
function ownPath(name) {
  if (!/^(?:file:)?\//.test(name)) return undefined;
  const own = relative(process.cwd(), name.startsWith('file:') ? fileURLToPath(name) : name);
  const [first, ...others] = own.split(sep);
  const isForeign = first === '..' || others.includes('node_modules') || first === 'node_modules';
  return isForeign || first === folder.split('/')[0] ? undefined : own.replaceAll(sep, '/');
}

const texts = new Map();
function textOf(path) {
  if (!texts.has(path)) texts.set(path, readFileSync(resolve(path), 'utf8').replace(/^\ufeff/, ''));
  return texts.get(path);
}

function add(path, lines) {
  files[path] = [...new Set([...(files[path] ?? []), ...lines])];
}

/** One for each character in a range that ran; the innermost range decides. */
function markRan(functions, length) {
  const ran = new Uint8Array(length);
  const ranges = functions.flatMap(f => f.ranges);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of ranges)
    ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return ran;
}

/** The lines of a text with a word or an operator that ran. */
function linesIn(text, ran) {
  const lines = new Set();
  let line = 1;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\n') line += 1;
    else if (ran[i] === 1 && !/[\s{}();,\]]/.test(text[i])) lines.add(line);
  }
  return [...lines];
}

/** Adds the lines of the sources at whose places the map begins a word that ran. */
function addMapped({ data, lineLengths }, url, ran) {
  const map = new SourceMap(data);
  let offset = 0;
  for (const [row, length] of lineLengths.entries()) {
    for (let column = 0; column < length; column++) {
      const found = ran[offset + column] === 1 ? map.findEntry(row, column) : {};
      if (found.generatedLine !== row || found.generatedColumn !== column) continue;
      const path = ownPath(new URL(found.originalSource ?? '', url).href);
      if (path === undefined) continue;
      const source = textOf(path).split('\n')[found.originalLine] ?? '';
      const isWord = /^[^\s{}()[\];,]/.test(source.slice(found.originalColumn));
      add(path, isWord ? [found.originalLine + 1] : []);
    }
    offset += length + 1;
  }
}

/** Adds the lines of a process as V8 writes them. */
function addScripts({ result, 'source-map-cache': maps = {} }) {
  for (const { url, functions } of result) {
    const path = ownPath(url);
    const length = Math.max(...functions.map(f => f.ranges[0].endOffset));
    const map = maps[url];
    if (path !== undefined) add(path, []);
    if (length > maxLength) continue;
    const ran = markRan(functions, length);
    if (map?.data) addMapped(map, url, ran);
    else if (path !== undefined && isAsWritten(path, length)) add(path, linesIn(textOf(path), ran));
  }
}

/** True if V8 ran the text of the file. Node puts blanks in the place of types, and a name behind them. */
const isAsWritten = (path, length) =>
  textOf(path).length === length || (/\.[cm]?ts$/.test(path) && textOf(path).length < length);

/** Adds the lines that jest writes, each as a statement. */
function addStatements(all) {
  for (const { path: name, statementMap, s } of Object.values(all)) {
    const path = ownPath(name);
    const ran = Object.entries(statementMap).filter(([id]) => s[id] > 0);
    if (path !== undefined)
      add(
        path,
        ran.map(([, { start }]) => start.line),
      );
  }
}

const names = existsSync(folder) ? readdirSync(folder).sort() : [];
for (const name of names.slice(0, maxFiles)) {
  try {
    const found = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    if (Array.isArray(found.result)) addScripts(found);
    else addStatements(found);
  } catch {
    // another file, of another shape, or one whose source is gone
  }
}
rmSync(folder, { recursive: true, force: true });
if (names.length > 0) writeFileSync(output, JSON.stringify(files));
