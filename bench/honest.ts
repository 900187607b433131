/** Counts false alarms of the search for source that cheats its tests: `npm run bench -- honest COMMITS REPOSITORY…`. */
import { ecosystems } from '../src/ecosystems/index.ts';
import { findNewCheats, findTestRole } from '../src/ecosystems/tests/test-role.ts';
import type { FileChange } from '../src/workspace/files/change.ts';
import { git, readChanges } from './changes.ts';
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
  const all = String(
    git(repository, 'log', '--no-merges', '--min-parents=1', '--format=%H', '-n', '4000'),
  )
    .split('\n')
    .filter(Boolean);
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
const sourceOf = (repository: string, commit: string): readonly FileChange[] =>
  readChanges(repository, `${commit}^`, commit).filter(
    change =>
      change.after?.mode.startsWith('100') &&
      hasForms(change.path) &&
      !findTestRole(change, plain)?.decides,
  );

const hasForms = (path: string) =>
  ecosystems.some(
    ({ testCode, detection }) =>
      testCode?.cheats && Object.values(detection.sources ?? {}).some(s => s.test(path)),
  );
