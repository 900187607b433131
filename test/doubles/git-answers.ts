/**
 * Answers simple questions to git from its files, because the tests ask some two thousand of them and each would start a
 * process. `test/doubles/git-files.test.ts` compares the answers with git's own.
 */
import type { GitFiles, TreeEntry } from './git-files.ts';

/** What git would print, without a process; null when git itself must answer, be it with an error. */
export function answerGit(files: GitFiles, args: readonly string[]): Buffer | null {
  const [command = '', ...rest] = args;
  const answer = answers[command]?.(files, rest) ?? null;
  return typeof answer === 'string' ? Buffer.from(answer) : answer;
}

type Answer = (files: GitFiles, args: readonly string[]) => string | Buffer | null;

const answers: Readonly<Record<string, Answer>> = {
  'rev-parse': (files, args) => {
    const names = args[0] === '--verify' && args[1] === '-q' ? args.slice(2) : args;
    const id = names.length === 1 ? resolve(files, names[0] ?? '') : null;
    return id === null ? null : `${id}\n`;
  },
  show: (files, args) => {
    const [, revision = '', path = ''] = /^([^:]+):([^:]+)$/.exec(args[0] ?? '') ?? [];
    const commit = args.length === 1 && revision !== '' ? resolve(files, revision) : null;
    const found = commit === null ? null : entryAt(files, files.treeOf(commit), path.split('/'));
    return found?.mode.startsWith('100') ? (files.read(found.sha)?.content ?? null) : null;
  },
  'ls-tree': (files, args) => {
    const [recursive, names, revision = '', ...more] = args;
    if (recursive !== '-r' || names !== '--name-only' || more.length > 0) return null;
    const commit = resolve(files, revision);
    const listed = commit === null ? null : listOf(files, commit);
    return listed === null ? null : lines([...listed.keys()]);
  },
  diff: (files, args) => {
    const [names, ...range] = args;
    const ends = names === '--name-only' ? endsOf(files, range) : null;
    const [before, after] = ends?.map(end => listOf(files, end)) ?? [];
    if (!before || !after) return null;
    const gone = [...before.keys()].filter(path => !after.has(path));
    const changed = [...after].filter(([path, entry]) => before.get(path) !== entry);
    // git could call one that is gone and one that came a rename
    if (gone.length > 0 && changed.some(([path]) => !before.has(path))) return null;
    return lines([...gone, ...changed.map(([path]) => path)].sort(byBytes));
  },
  'rev-list': (files, args) => {
    const [how, ...range] = args;
    const [, from = '', to = ''] = /^([^.].*[^.])\.\.([^.].*)$/.exec(range[0] ?? '') ?? [];
    if ((how !== '--count' && how !== '--reverse') || range.length !== 1) return null;
    const [old, head] = [resolve(files, from), resolve(files, to)];
    const found = old === null || head === null ? null : since(files, old, head);
    if (found === null) return null;
    return how === '--count' ? `${found.length}\n` : lines(found.toReversed());
  },
};

const lines = (items: readonly string[]) => items.map(item => `${item}\n`).join('');

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Id of a reference, branch, tag or full id with `^`, `~n` and `^{tree}` behind it; null when git must say. */
function resolve(files: GitFiles, revision: string): string | null {
  const [, name = '', steps = ''] =
    /^([\w./-]+?)((?:\^\{tree\}|\^\{commit\}|\^|~\d+)*)$/.exec(revision) ?? [];
  let id = idOf(files, name);
  for (const [step] of steps.matchAll(/\^\{tree\}|\^\{commit\}|\^|~\d+/g)) {
    if (id === null || files.read(id)?.type !== 'commit') return null;
    if (step === '^{tree}') id = files.treeOf(id);
    else if (step !== '^{commit}') {
      const count = step === '^' ? 1 : Number(step.slice(1));
      for (let i = 0; i < count && id !== null; i++) id = files.parentsOf(id)[0] ?? null;
    }
  }
  return id;
}

/** An id counts only with its object, which can be packed. */
function idOf(files: GitFiles, name: string): string | null {
  if (/^[0-9a-f]{4,}$/.test(name)) return files.read(name) === null ? null : name;
  const places = name.startsWith('refs/') ? [name] : [`refs/tags/${name}`, `refs/heads/${name}`];
  const ids = places.map(place => files.ref(place)).filter(id => id !== null);
  // two of the name: git warns and chooses
  const id = ids.length === 1 ? (ids[0] ?? '') : '';
  return files.read(id) === null ? null : id;
}

function entryAt(files: GitFiles, tree: string, path: readonly string[]): TreeEntry | null {
  const found = files.entries(tree).find(entry => entry.name === path[0]);
  if (found === undefined) return null;
  return path.length === 1 ? found : entryAt(files, found.sha, path.slice(1));
}

/** Mode and id of each path of a commit, in git's order; null for one whose name git would quote, or a packed tree. */
function listOf(files: GitFiles, id: string): ReadonlyMap<string, string> | null {
  const found = files.listing(files.treeOf(id));
  if (found === null || !found.every(({ path }) => /^[\w .@+/-]+$/.test(path))) return null;
  return new Map(found.map(({ path, mode, sha }) => [path, `${mode} ${sha}`]));
}

/** The two commits of `a b`, `a..b`, or `a...b` where a is an ancestor of b. */
function endsOf(files: GitFiles, range: readonly string[]): readonly [string, string] | null {
  const dots = /^(.*[^.])(\.\.\.?)([^.].*)$/.exec(range[0] ?? '');
  const names = range.length === 2 ? range : range.length === 1 && dots ? [dots[1], dots[3]] : [];
  const [old = null, head = null] = names.map(name => resolve(files, name ?? ''));
  if (old === null || head === null) return null;
  return dots?.[2] === '...' && since(files, old, head) === null ? null : [old, head];
}

/** The commits after `old` up to `head`, the latest first; null unless they are one line. */
function since(files: GitFiles, old: string, head: string): readonly string[] | null {
  const found: string[] = [];
  for (let at = head; at !== old; ) {
    const parents = files.parentsOf(at);
    if (parents.length !== 1) return null;
    found.push(at);
    at = parents[0] ?? '';
  }
  return found;
}
