/** Search in git objects: what a tree holds, whatever stands in the work tree (THREATS T08). */
import type { GitRunner } from './work-tree.ts';

export interface GrepQuery {
  readonly tree: string;
  /** One line each; a line matches when one of them does. */
  readonly patterns: readonly string[];
  /** Folder to look below; an empty string is the root. */
  readonly folder: string;
  readonly ignoreCase: boolean;
  /** True: the patterns are plain text; false: POSIX extended expressions. */
  readonly fixed: boolean;
  /** True: only where no letter, digit or underscore touches the match. */
  readonly word?: boolean;
  /** Only files whose path ends in one of these (`.ts`), letter for letter. */
  readonly endings?: readonly string[];
  /** True: a hit is a match, and its text that alone; false: a hit is a line. */
  readonly matchesOnly?: boolean;
}

export interface GrepHit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface GrepAnswer {
  /** At most 200 lines a file, by path. */
  readonly hits: readonly GrepHit[];
  /** True when the search stopped at its limit of bytes. */
  readonly cut: boolean;
}

const grepBytes = 4 * 1024 * 1024;
const grepMs = 20_000;
const maxKept = 64;
const maxBytesKept = 16 * 1024 * 1024;

/** Searches that remember their last answers: a tree never changes, so neither does an answer. */
export function openGrep(git: GitRunner): (query: GrepQuery) => Promise<GrepAnswer> {
  const kept = new Map<string, Searched>();
  let bytesKept = 0;
  return async query => {
    const key = JSON.stringify(query);
    const known = kept.get(key);
    if (known !== undefined) return known.answer;
    const found = await grepTree(git, query);
    if (!kept.has(key)) bytesKept += found.bytes;
    kept.set(key, found);
    for (const [oldest, { bytes }] of kept) {
      if (kept.size <= maxKept && bytesKept <= maxBytesKept) break;
      kept.delete(oldest);
      bytesKept -= bytes;
    }
    return found.answer;
  };
}

interface Searched {
  readonly answer: GrepAnswer;
  /** Of what git printed; the texts of hits are parts of it. */
  readonly bytes: number;
}

async function grepTree(git: GitRunner, query: GrepQuery): Promise<Searched> {
  if (query.endings?.length === 0) return { answer: { hits: [], cut: false }, bytes: 0 };
  const options = { accept: [1, 128, -1], maxBytes: grepBytes, timeoutMs: grepMs };
  const result = await git(argumentsOf(query), options);
  if (result.exitCode === 128) throw new Error(`the pattern cannot be used: ${result.stderr}`);
  if (result.exitCode === null && !result.truncated)
    throw new Error(`the search took longer than ${grepMs / 1000} s`);
  const hits: GrepHit[] = [];
  for (const line of result.stdout.toString('utf8').split('\n')) {
    const [name, number, ...text] = line.split('\0');
    if (name === undefined || number === undefined || !/^\d+$/.test(number)) continue;
    hits.push({
      path: name.slice(query.tree.length + 1),
      line: Number(number),
      text: text.join('\0'),
    });
  }
  return { answer: { hits, cut: result.truncated }, bytes: result.stdout.length };
}

function argumentsOf(query: GrepQuery): readonly string[] {
  const where = pathspecs(query);
  return [
    ...['grep', '-n', '-I', '-z', '--no-color', '--max-count=200'],
    query.fixed ? '-F' : '-E',
    ...(query.ignoreCase ? ['-i'] : []),
    ...(query.word ? ['-w'] : []),
    ...(query.matchesOnly ? ['-o'] : []),
    ...query.patterns.flatMap(p => ['-e', p]),
    query.tree,
    ...(where.length === 0 ? [] : ['--', ...where]),
  ];
}

function pathspecs({ folder, endings }: GrepQuery): readonly string[] {
  if (endings === undefined) return folder === '' ? [] : [`:(literal)${folder}`];
  const below = folder === '' ? '' : `${escapeGlob(folder)}/`;
  return endings.map(ending => `${below}*${escapeGlob(ending)}`);
}

/** Also a colon, with which a pathspec would begin its options. */
function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]:]/g, '\\$&');
}
