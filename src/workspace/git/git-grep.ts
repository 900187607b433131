/** Searches the files of a git tree; the work tree has no influence on the result. */

import type { GitRunner } from './git-process.ts';
import {
  type GrepAnswer,
  type GrepHit,
  type GrepQuery,
  maxLinesPerFile,
  maxSearchBytes,
} from './grep-query.ts';
import type { WordIndex } from './word-index.ts';

const grepMs = 20_000;
const maxKept = 64;
const maxBytesKept = 16 * 1024 * 1024;

/** A search that caches its latest results; a tree never changes, so a result stays valid. */
export function openGrep(
  git: GitRunner,
  index: Pick<WordIndex, 'search'>,
): (query: GrepQuery) => Promise<GrepAnswer> {
  const kept = new Map<string, Searched>();
  let bytesKept = 0;
  return async query => {
    const key = JSON.stringify(query);
    const known = kept.get(key);
    if (known !== undefined) return known.answer;
    const indexed = await index.search(query);
    if (indexed !== null) return indexed;
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
  /** Bytes that git printed; the texts of hits refer to them. */
  readonly bytes: number;
}

async function grepTree(git: GitRunner, query: GrepQuery): Promise<Searched> {
  if (query.endings?.length === 0) return { answer: { hits: [], cut: false }, bytes: 0 };
  const options = { accept: [1, 128, -1], maxBytes: maxSearchBytes, timeoutMs: grepMs };
  const result = await git(argumentsOf(query), options);
  if (result.exitCode === 128) throw new Error(`invalid pattern: ${result.stderr}`);
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
    'grep',
    '-n',
    '-I',
    '-z',
    '--no-color',
    `--max-count=${maxLinesPerFile}`,
    query.fixed ? '-F' : '-E',
    query.ignoreCase ? '-i' : undefined,
    query.word ? '-w' : undefined,
    query.matchesOnly ? '-o' : undefined,
    ...query.patterns.flatMap(p => ['-e', p]),
    query.tree,
    where.length === 0 ? undefined : ['--', ...where],
  ]
    .flat()
    .filter(item => item !== undefined);
}

function pathspecs({ folder, endings }: GrepQuery): readonly string[] {
  if (endings === undefined) return folder === '' ? [] : [`:(literal)${folder}`];
  const below = folder === '' ? '' : `${escapeGlob(folder)}/`;
  return endings.map(ending => `${below}*${escapeGlob(ending)}`);
}

/** Escapes glob characters and the colon, which starts the options of a pathspec. */
function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]:]/g, '\\$&');
}
