/** Part of the programs that record lines: those that ran in a thread, from V8 block coverage and source maps. */
/** True if nearly every line of a script has only words that the same line of the file has, too. */
function keepsLines(text, source) {
  const lines = text.split('\n').map(line => new Set(line.match(/[\w$]+/g)));
  const own = source.split('\n').map(line => line.match(/[\w$]+/g) ?? []);
  const full = own.filter(words => words.length > 0).length;
  const kept = own.filter(
    (words, row) => words.length > 0 && words.every(w => lines[row]?.has(w)),
  ).length;
  // a wrapper may share the first and the last line
  return text !== '' && kept >= full - 3 && kept >= 0.5 * full;
}

/** A source map that a script holds. */
function mapOf(url) {
  const found = /^data:application\/json[^,]*?(;base64)?,/.exec(url ?? '');
  if (found === null) return null;
  try {
    const body = url.slice(found[0].length);
    const text = found[1] ? Buffer.from(body, 'base64').toString('utf8') : decodeURIComponent(body);
    return new (require('node:module').SourceMap)(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The words in ranges that ran; the innermost range decides. */
function ranWords(words, ranges) {
  const length = ranges.reduce((most, r) => Math.max(most, r.endOffset), 0);
  const ran = new Uint8Array(length);
  for (const { startOffset, endOffset, count } of ranges)
    ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return words.filter(w => ran[w.offset] === 1);
}

/**
 * A function that finds the path of a file below the root folder; null for files outside the project, of packages, and in
 * the folder `hidden`.
 */
function openOwnPath(root, hidden) {
  const { isAbsolute, relative, resolve, sep } = require('node:path');
  const { fileURLToPath } = require('node:url');
  return name => {
    let path = name.split('?')[0];
    try {
      if (path.startsWith('file:')) path = fileURLToPath(path);
    } catch {
      return null;
    }
    if (!isAbsolute(path)) return null;
    const own = relative(root, path);
    const parts = own.split(sep);
    const foreign = parts[0] === '..' || isAbsolute(own) || parts.includes('node_modules');
    return foreign || resolve(root, parts[0]) === hidden ? null : own.replaceAll(sep, '/');
  };
}

/** The words of a script by offset, each with the place that `place` finds for its row and column. */
function wordsIn(source, place) {
  const words = [];
  let offset = 0;
  for (const [row, line] of source.split('\n').entries()) {
    if (!line.startsWith('//# source'))
      for (const word of line.matchAll(/[\w$]+/g)) {
        const at = place(row, word.index);
        if (at !== null) words.push({ offset: offset + word.index, ...at });
      }
    offset += line.length + 1;
  }
  return words;
}

/** Adds the lines that ran in the functions of a script to `files`. */
function addLines(files, functions, wordsOf) {
  const ranges = functions.flatMap(f => f.ranges);
  if (!ranges.some(r => r.count > 0)) return;
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { path, line } of ranWords(wordsOf(), ranges)) {
    files[path] ??= new Set();
    files[path].add(line);
  }
}

const sortedLines = files =>
  Object.fromEntries(
    Object.entries(files).map(([path, lines]) => [path, [...lines].sort((a, b) => a - b)]),
  );

/** `root` is the folder of the project; files in `hidden` do not count. */
function openScriptLines(root, hidden) {
  const { readFileSync } = require('node:fs');
  const { dirname, join, resolve } = require('node:path');
  const inspector = require('node:inspector');
  const state = { session: null, scripts: new Map() };
  const ownPath = openOwnPath(root, hidden);

  function ask(method, params = {}) {
    let answer = null;
    // a session of the same thread replies before `post` returns
    state.session.post(method, params, (error, result) => {
      if (!error) answer = result;
    });
    return answer;
  }

  function start() {
    if (state.session !== null) return;
    state.session = new inspector.Session();
    state.session.connect();
    state.session.on('Debugger.scriptParsed', ({ params }) => {
      if (ownPath(params.url) !== null)
        state.scripts.set(params.scriptId, { ...params, words: null });
    });
    ask('Debugger.enable');
    // without this, a `debugger` statement would wait forever
    ask('Debugger.setSkipAllPauses', { skip: true });
    ask('Profiler.enable');
    ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** The words of a script by offset, each with its line in the project's file. */
  function wordsOf(script) {
    if (script.words !== null) return script.words;
    const source =
      ask('Debugger.getScriptSource', { scriptId: script.scriptId })?.scriptSource ?? '';
    script.words = wordsIn(source, placer(script, source));
    return script.words;
  }

  /** The original place of a script's position: from its source map, or the same line if the transform keeps lines. */
  function placer(script, source) {
    const path = ownPath(script.url);
    const map = mapOf(script.sourceMapURL);
    if (map !== null) {
      const several = map.payload.sources.length > 1;
      return (row, column) => {
        const found = map.findEntry(row, column);
        // code that a transform adds has no place, and gets that of the word before it
        if (found.originalLine === undefined || found.generatedLine !== row) return null;
        const from = several ? ownPath(resolve(root, dirname(path), found.originalSource)) : path;
        return from === null ? null : { path: from, line: found.originalLine + 1 };
      };
    }
    let text = '';
    try {
      text = readFileSync(join(root, path), 'utf8');
    } catch {
      // code generated at run time
    }
    return keepsLines(text, source) ? row => ({ path, line: row + 1 }) : () => null;
  }

  /** The lines that ran since the last call, by file; none while nothing is recorded. */
  function take() {
    const files = {};
    if (state.session === null) return files;
    for (const { scriptId, functions } of ask('Profiler.takePreciseCoverage')?.result ?? []) {
      const script = state.scripts.get(scriptId);
      if (script !== undefined) addLines(files, functions, () => wordsOf(script));
    }
    return sortedLines(files);
  }

  /** Stops to record. */
  function stop() {
    state.session.disconnect();
    state.session = null;
    state.scripts.clear();
  }

  return { ownPath, start, take, stop };
}
