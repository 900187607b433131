/** Counts false alarms of the search for source that cheats its tests: `npm run bench -- honest COMMITS REPOSITORY…`. */
import { spawnSync } from 'node:child_process';
import { ecosystems } from '../src/ecosystems/index.ts';
import { findNewCheats, findTestRole } from '../src/ecosystems/tests/test-role.ts';
import type { FileChange } from '../src/workspace/files/change.ts';
import { row } from './figures.ts';

const plain = { started: new Set<string>(), isNamed: () => false };

/** Judges the newest commits of each repository that change source, and prints what the search would warn about. */
export async function benchHonest([
  most = '20',
  ...repositories
]: readonly string[]): Promise<void> {
  const counts = repositories.map(repository => judgeCommits(repository, Number(most)));
  const sum = (of: 'commits' | 'alarms') => counts.reduce((all, each) => all + each[of], 0);
  row(`all ${repositories.length}`, `${sum('alarms')} of ${sum('commits')} commits`, 'goal 0');
}

function judgeCommits(repository: string, most: number) {
  const all = String(git(repository, 'log', '--no-merges', '--format=%H', '-n', '4000')).split(
    '\n',
  );
  const found: string[] = [];
  let commits = 0;
  let alarms = 0;
  for (const commit of all) {
    if (commits === most) break;
    const source = sourceOf(repository, commit);
    if (source.length === 0) continue;
    commits += 1;
    const cheats = source.flatMap(c => findNewCheats(c).map(cheat => ({ path: c.path, ...cheat })));
    if (cheats.length > 0) alarms += 1;
    for (const { path, does, code } of cheats)
      found.push(`  ${commit.slice(0, 9)} ${path} ${does}: ${code}`);
  }
  row(repository, `${alarms} of ${commits} commits`, '');
  for (const line of found) row(line, '', '');
  return { commits, alarms };
}

/** The changed files of a commit that are no tests, of languages that have forms. */
function sourceOf(repository: string, commit: string): readonly FileChange[] {
  const listed = git(repository, 'diff-tree', '-r', '--no-commit-id', '--no-renames', '-z', commit);
  return [...String(listed).matchAll(/:\d+ (\d+) (\w+) (\w+) \w\0([^\0]+)\0/g)].flatMap(
    ([, mode = '', before = '', after = '', path = '']) => {
      if (!mode.startsWith('100') || !hasForms(path)) return [];
      const change = { path, before: blob(repository, before), after: blob(repository, after) };
      return findTestRole(change, plain)?.decides ? [] : [change];
    },
  );
}

const hasForms = (path: string) =>
  ecosystems.some(
    ({ testCode, detection }) =>
      testCode?.cheats && Object.values(detection.sources ?? {}).some(s => s.test(path)),
  );

const blob = (repository: string, id: string): FileChange['before'] =>
  /^0+$/.test(id) ? undefined : { mode: '100644', bytes: git(repository, 'cat-file', 'blob', id) };

function git(repository: string, ...words: string[]): Buffer {
  const { stdout } = spawnSync('git', ['-C', repository, ...words], { maxBuffer: 1e9 });
  return stdout;
}
