/** Searches the contents of files for plain text, with the results of `git grep`. Pure. */
import { isAscii } from 'node:buffer';
import { binaryBytes } from '../files/line-ends.ts';
import {
  type FileQuery,
  type GrepAnswer,
  type GrepHit,
  maxLinesPerFile,
  maxSearchBytes,
} from './grep-query.ts';

/** A regular file and its content. */
export interface SearchedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const newline = 10;

/** True when the query needs no regular expression: then `searchFiles` can answer it. */
export function isPlain({ fixed, patterns }: FileQuery): boolean {
  return fixed && patterns.every(p => p !== '' && isAscii(Buffer.from(p)) && !/[\0\n]/.test(p));
}

/** True when the query searches this path. */
export function searchesPath({ folder, endings }: FileQuery, path: string): boolean {
  const below = folder === '' ? '' : `${folder}/`;
  if (!path.startsWith(below)) return endings === undefined && path === folder;
  const rest = path.slice(below.length);
  return endings === undefined || endings.some(ending => rest.endsWith(ending));
}

/**
 * The hits of a plain query, in the order of the files. Null when only git can tell: in text other than
 * ASCII it knows more of case, and a long answer is cut where git cuts it.
 */
export function searchFiles(files: readonly SearchedFile[], query: FileQuery): GrepAnswer | null {
  const hits: GrepHit[] = [];
  let printed = 0;
  for (const { path, bytes } of files) {
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (content.subarray(0, binaryBytes).includes(0)) continue;
    if (query.ignoreCase && !isAscii(content)) return null;
    for (const { line, text } of hitsOf(content, query)) {
      hits.push({ path, line, text: text.toString('utf8') });
      // git prints the id of the tree, at most 64 characters, and separators too
      printed += 64 + Buffer.byteLength(path) + text.length + 16;
      if (printed > maxSearchBytes) return null;
    }
  }
  return { hits, cut: false };
}

function hitsOf(content: Buffer, query: FileQuery) {
  const { word = false, ignoreCase, matchesOnly = false } = query;
  const inCase = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const patterns = query.patterns.map(inCase);
  // one character for each byte, so that offsets are those of the bytes
  const text = inCase(content.toString('latin1'));
  const found: { readonly line: number; readonly text: Buffer }[] = [];
  let line = 1;
  let counted = 0;
  let lines = 0;
  for (const [start, end] of matchingLines(text, patterns, word)) {
    if (lines === maxLinesPerFile) break;
    lines += 1;
    for (; counted < start; counted++) if (content[counted] === newline) line += 1;
    const ranges = matchesOnly ? matchesIn(text.slice(start, end), patterns, word) : [];
    const whole: readonly Range[] = [[0, end - start]];
    for (const [from, to] of matchesOnly ? ranges : whole)
      found.push({ line, text: content.subarray(start + from, start + to) });
  }
  return found;
}

type Range = readonly [number, number];

/** The lines that one of the patterns matches, from the first to the last. */
function matchingLines(text: string, patterns: readonly string[], word: boolean): readonly Range[] {
  const ends = new Map<number, number>();
  for (const pattern of patterns) {
    let at = text.indexOf(pattern);
    while (at >= 0) {
      const start = text.lastIndexOf('\n', at - 1) + 1;
      const next = text.indexOf('\n', at);
      const end = next < 0 ? text.length : next;
      if (!word || findMatch(text.slice(start, end), pattern, word) !== null) ends.set(start, end);
      at = text.indexOf(pattern, end);
    }
  }
  return [...ends].sort(([a], [b]) => a - b);
}

/** The matches of a line one after the other: the first of all patterns, and of two at one place the longer. */
function matchesIn(line: string, patterns: readonly string[], word: boolean): readonly Range[] {
  const found: Range[] = [];
  for (let from = 0; ; ) {
    const rest = line.slice(from);
    const [first] = patterns
      .flatMap(pattern => {
        const at = findMatch(rest, pattern, word);
        return at === null ? [] : [[at, at + pattern.length] as const];
      })
      .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    if (first === undefined) return found;
    found.push([from + first[0], from + first[1]]);
    from += first[1];
  }
}

/** Where a pattern first matches; with `word`, where no letter, digit or `_` touches it. Null for nowhere. */
function findMatch(line: string, pattern: string, word: boolean): number | null {
  for (let at = line.indexOf(pattern); at >= 0; at = line.indexOf(pattern, at + 1)) {
    const isBounded = !isWordAt(line, at - 1) && !isWordAt(line, at + pattern.length);
    if (!word || isBounded) return at;
  }
  return null;
}

function isWordAt(line: string, at: number): boolean {
  return at >= 0 && at < line.length && /\w/.test(line.charAt(at));
}
