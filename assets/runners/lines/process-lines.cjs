/** Behind script-lines.cjs: reads what V8 wrote at the end of each process and thread of the tests, and writes the lines that each ran. */
const { readdirSync, readFileSync, statSync, writeFileSync } = require('node:fs');
const nodeModule = require('node:module');
const { dirname, join } = require('node:path');

const maxProcesses = 200;
const maxBytes = 8 * 1024 * 1024;
const maxOutput = 4_000_000;

const root = dirname(__dirname);
const ownPath = openOwnPath(root, __dirname);
/** What several processes need: texts by path, and the words of mapped scripts by their map. */
const texts = new Map();
const mapped = new Map();

const readText = file => (statSync(file).size > maxBytes ? null : readFileSync(file, 'utf8'));

/** The text of a file as Node runs it, without the types of TypeScript; null if there is none. */
function textOf(path) {
  if (!texts.has(path)) {
    let text = null;
    try {
      text = readText(join(root, path))?.replace(/^\ufeff/, '') ?? null;
      if (/\.[cm]?ts$/.test(path)) text = nodeModule.stripTypeScriptTypes(text);
    } catch {
      // no file, no text, or syntax that Node compiles only with a map
    }
    texts.set(path, text);
  }
  return texts.get(path);
}

/** The words of a script that is a file as it stands; none if `length` shows that another text ran. */
function plainWords(path, length) {
  const text = textOf(path);
  // Node adds a name to TypeScript
  const isSame = text?.length === length || (/\.[cm]?ts$/.test(path) && text?.length < length);
  return isSame ? wordsIn(text, row => ({ path, line: row + 1 })) : [];
}

/** The places of a script where its map begins a word or a sign of a source, as words. */
function mappedWords({ data, lineLengths }) {
  const words = [];
  const map = new nodeModule.SourceMap(data);
  if (lineLengths.reduce((sum, length) => sum + length, 0) > maxBytes) return words;
  let offset = 0;
  for (const [row, length] of lineLengths.entries()) {
    for (let column = 0; column < length; column++) {
      const found = map.findEntry(row, column);
      if (found.generatedLine !== row || found.generatedColumn !== column) continue;
      const path = ownPath(found.originalSource ?? '');
      const source = path === null ? null : sourceLines(path)[found.originalLine];
      if (/^[^\s{}()[\];,]/.test(source?.slice(found.originalColumn) ?? ''))
        words.push({ offset: offset + column, path, line: found.originalLine + 1 });
    }
    offset += length + 1;
  }
  return words;
}

const sources = new Map();

/** The lines of a source as it stands. */
function sourceLines(path) {
  if (!sources.has(path)) {
    let text = '';
    try {
      text = readText(join(root, path)) ?? '';
    } catch {
      // the source is no file of the project
    }
    sources.set(path, text.split('\n'));
  }
  return sources.get(path);
}

function wordsOf(map, path, length) {
  if (!map?.data) return path === null ? [] : plainWords(path, length);
  const key = `${map.data.sources} ${map.data.mappings}`;
  if (!mapped.has(key)) mapped.set(key, mappedWords(map));
  return mapped.get(key);
}

/** The lines by file; a script that ran has an entry, even if none of its lines are known. */
function linesOf({ result, 'source-map-cache': maps = {} }) {
  const files = {};
  for (const { url, functions } of result) {
    const path = ownPath(url);
    const map = maps[url];
    if (path === null && !map?.data?.sources?.some(s => ownPath(s ?? '') !== null)) continue;
    if (path !== null) files[path] ??= new Set();
    const length = Math.max(...functions.map(f => f.ranges[0].endOffset));
    if (length <= maxBytes) addLines(files, functions, () => wordsOf(map, path, length));
  }
  return sortedLines(files);
}

const folder = join(__dirname, 'coverage');
const found = new Set();
for (const name of readdirSync(folder).sort().slice(0, maxProcesses)) {
  try {
    const files = linesOf(JSON.parse(readText(join(folder, name))));
    found.add(JSON.stringify({ id: null, file: '', files }));
  } catch {
    // another file, or of another shape
  }
}
let output = '';
for (const line of [...found].sort())
  if (output.length + line.length < maxOutput) output += `${line}\n`;
writeFileSync(join(__dirname, 'processes.jsonl'), output);
