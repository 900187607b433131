/** Searches the files of a git tree; the work tree has no influence on the result. */
import type { GitRunner } from './git-process.ts';

/** What a search asks for, in the tree that it is given. */
export interface FileQuery {
  /** Patterns of one line each; a line matches when any of them does. */
  readonly patterns: readonly string[];
  /** Folder to search; an empty string is the root. */
  readonly folder: string;
  readonly ignoreCase: boolean;
  /** True: the patterns are plain text; false: POSIX extended expressions. */
  readonly fixed: boolean;
  /** True: match whole words only. */
  readonly word?: boolean;
  /** Only search files whose path ends in one of these, such as `.ts`. */
  readonly endings?: readonly string[];
  /** True: a hit is one match with only its text; false: a hit is a whole line. */
  readonly matchesOnly?: boolean;
}

export interface GrepQuery extends FileQuery {
  readonly tree: string;
}

export interface GrepHit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface GrepAnswer {
  /** At most 200 lines per file, ordered by path. */
  readonly hits: readonly GrepHit[];
  /** True when the search stopped at its limit of bytes. */
  readonly cut: boolean;
}

const maxLinesPerFile = 200;
/** Maximum bytes that a search prints, with the names of the files. */
const maxSearchBytes = 4 * 1024 * 1024;
const grepMs = 20_000;

/** @throws Error for a pattern that is no expression, and for a search of more than 20 s; PhotonError `GIT`. */
export async function grepTree(git: GitRunner, query: GrepQuery): Promise<GrepAnswer> {
  if (query.endings?.length === 0) return { hits: [], cut: false };
  const options = { accept: [1, 128, -1], maxBytes: maxSearchBytes, timeoutMs: grepMs };
  const result = await git(buildArguments(query), options);
  if (result.exitCode === 128) throw new Error(`invalid pattern: ${result.stderr}`);
  if (result.exitCode === undefined && !result.truncated)
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
  return { hits, cut: result.truncated };
}

function buildArguments(query: GrepQuery): readonly string[] {
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

function pathspecs({ folder, endings }: FileQuery): readonly string[] {
  if (endings === undefined) return folder === '' ? [] : [`:(literal)${folder}`];
  const below = folder === '' ? '' : `${escapeGlob(folder)}/`;
  return endings.map(ending => `${below}*${escapeGlob(ending)}`);
}

/** Escapes glob characters and the colon, which starts the options of a pathspec. */
function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]:]/g, '\\$&');
}
