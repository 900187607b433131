/** A merged pull request taken back, however it was merged and whatever came since. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PhotonError } from '../../../../src/base/codes.ts';
import { revertPullRequest } from '../../../../src/hosts/github/delivery/undo.ts';
import { findPrograms } from '../../../../src/process/programs.ts';
import { openGit } from '../../../../src/workspace/git/git.ts';
import { addPull } from '../../../doubles/events.ts';
import { type GitHubDouble, startGitHub } from '../../../doubles/github.ts';
import { bot } from '../../../doubles/github-routes.ts';
import { discard, makeFolder } from '../../../harness.ts';
import { clientOf } from '../publication.ts';

const long = (over: Record<number, string> = {}) =>
  `${Array.from({ length: 30 }, (_, i) => over[i + 1] ?? `line ${i + 1}`).join('\n')}\n`;

let github: GitHubDouble;
let folder: string;
let clones = 0;
beforeEach(async () => {
  github = await startGitHub({
    seed: {
      'a.txt': long(),
      'gone.txt': 'x\n',
      'tool.sh': { mode: '100755', content: 'echo\n' },
      'deep/one/f.txt': 'f\n',
      'deep/two/g.txt': 'g\n',
    },
  });
  folder = makeFolder();
});
afterEach(async () => {
  expect(github.violations).toEqual([]);
  await github.close();
  discard(folder);
});

type Way = 'merge' | 'squash' | 'rebase';

/** A pull request with two commits, merged in one of GitHub's three ways. */
function mergeOne(way: Way): void {
  const { store, state } = github;
  store.push('photon/t', { 'a.txt': long({ 3: 'three' }), 'gone.txt': null }, 'One');
  const files = { 'deep/one/f.txt': 'F\n', 'new/n.txt': 'n\n' };
  const head = store.push('photon/t', files, 'Two');
  store.push('main', { 'other.txt': 'other\n' }, 'Before the merge');
  const main = store.git(['rev-parse', 'main']);
  const [first, second] = [
    store.tree(main, changesOf(`${head}^`)),
    store.tree(main, changesOf(head)),
  ];
  const mergedAs =
    way === 'merge'
      ? store.commit(second, [main, head], 'Merge')
      : way === 'squash'
        ? store.commit(second, [main], 'Squashed')
        : store.commit(second, [store.commit(first, [main], 'One')], 'Two');
  store.git(['update-ref', 'refs/heads/main', mergedAs]);
  store.git(['update-ref', '-d', 'refs/heads/photon/t']);
  addPull(state, {
    number: 1,
    title: 'x',
    state: 'closed',
    head: 'photon/t',
    user: bot,
    mergedAs,
    headSha: head,
  });
}

/** What a commit changed since the start, for a tree over another one. */
function changesOf(commit: string) {
  const lines = github.store.git(['diff', '--raw', '--no-abbrev', github.first, commit]);
  return lines
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const [, , mode = '', , sha = '', , path = ''] =
        /^:(\d+) (\d+) (\w+) (\w+) (\w)\t(.*)$/.exec(line) ?? [];
      return line.includes(' D\t')
        ? { path: line.split('\t')[1] ?? '', mode: '0', sha: null }
        : {
            path: path || (line.split('\t')[1] ?? ''),
            mode: line.split(' ')[1] ?? mode,
            sha: line.split(' ')[3] ?? sha,
          };
    });
}

async function revert() {
  clones += 1;
  const checkout = join(folder, `checkout-${clones}`);
  github.clone(checkout);
  const git = await openGit(checkout, {
    scratch: makeFolder(),
    programs: findPrograms(process.env.PATH ?? '', []),
  });
  try {
    return await revertPullRequest(
      await clientOf({ apiUrl: github.url, token: github.token, repository: github.repository }),
      {
        pull: 1,
        runId: 'run-1',
        now: Date.now(),
        coAuthor: 'Co-authored-by: ann <7+ann@users.noreply.github.com>',
        settings: {
          labels: ['revert'],
          reviewers: [],
          teamReviewers: [],
          assignees: [],
          milestone: '',
          autoMerge: 'off',
          held: false,
          branchPrefix: 'photon/',
          draft: false,
          dispatchWorkflow: '',
        },
        mergeText: git.mergeText,
      },
    );
  } finally {
    git.close();
  }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'reverted',
    (error: PhotonError) => error.code,
  );

describe('a merged pull request', () => {
  it.each(['merge', 'squash', 'rebase'] as const)(
    'by %s is taken back to the very tree before it',
    async way => {
      mergeOne(way);
      const { delivered } = await revert();
      const { store, state } = github;
      expect(delivered).toMatchObject({
        operation: 'created',
        branch: 'photon/revert-1',
        commitsVerified: true,
      });
      const tree = store.git(['rev-parse', `${delivered.commit}^{tree}`]);
      const before = store.tree(github.first, [
        { path: 'other.txt', mode: '100644', sha: store.blob('other\n') },
      ]);
      expect(tree).toBe(before);
      expect(store.git(['rev-parse', `${delivered.commit}^`])).toBe(
        store.git(['rev-parse', 'main']),
      );
      expect(store.git(['log', '-1', '--format=%B', delivered.commit ?? ''])).toContain(
        'Co-authored-by: ann',
      );
      expect(state.pulls.get(2)).toMatchObject({
        head: 'photon/revert-1',
        base: 'main',
        labels: ['revert'],
      });
      expect(state.pulls.get(2)?.body).toContain('Nothing was verified');
    },
  );

  it('keeps what came since, in the same files, too', async () => {
    mergeOne('squash');
    github.store.push('main', { 'a.txt': long({ 3: 'three', 20: 'twenty' }), 'late.txt': 'l\n' });
    const { delivered } = await revert();
    const show = (path: string) => github.store.git(['show', `${delivered.commit}:${path}`]);
    expect(`${show('a.txt')}\n`).toBe(long({ 20: 'twenty' }));
    expect(show('late.txt')).toBe('l');
  });

  it('whose lines were changed again is refused by name, and nothing is written', async () => {
    mergeOne('merge');
    github.store.push('main', { 'a.txt': long({ 3: 'THREE' }) });
    const before = github.store.refs();
    expect(await codeOf(revert())).toBe('REVERT_CONFLICT');
    expect(github.store.refs()).toEqual(before);
  });

  it('that was taken back already says so', async () => {
    mergeOne('merge');
    const { delivered } = await revert();
    github.store.git(['update-ref', 'refs/heads/main', delivered.commit ?? '']);
    expect(await codeOf(revert())).toBe('REVERT_UNFIT');
  });

  it('asked for twice has one reverting pull request', async () => {
    mergeOne('merge');
    await revert();
    expect((await revert()).delivered).toMatchObject({
      operation: 'none',
      pullRequestNumber: 2,
    });
    expect([...github.state.pulls.keys()]).toEqual([1, 2]);
  });

  it('that is not merged cannot be taken back', async () => {
    mergeOne('merge');
    const pull = github.state.pulls.get(1);
    if (pull !== undefined) delete pull.mergedAs;
    expect(await codeOf(revert())).toBe('REVERT_UNFIT');
  });

  it('is taken back by the next run when this one breaks off at any request', async () => {
    mergeOne('rebase');
    const { delivered: whole } = await revert();
    const tree = github.store.git(['rev-parse', `${whole.commit}^{tree}`]);
    // what is there changes with a write alone; a run that ends before one ends after the last
    const writes = github.seen.flatMap((s, i) => (s.method === 'GET' ? [] : [i]));
    expect(writes.length).toBeGreaterThan(5);
    for (const k of writes) {
      github.store.git(['update-ref', '-d', 'refs/heads/photon/revert-1']);
      for (const n of github.state.pulls.keys()) if (n > 1) github.state.pulls.delete(n);
      const from = github.seen.length;
      let dead = false;
      github.watch(({ index, stage }) => {
        dead ||= index - from >= k && stage === 'before';
        return dead ? 'drop' : undefined;
      });
      await codeOf(revert());
      github.watch(() => undefined);
      const { delivered } = await revert();
      expect(github.store.git(['rev-parse', `${delivered.commit}^{tree}`]), `request ${k}`).toBe(
        tree,
      );
      const open = [...github.state.pulls.values()].filter(p => p.state === 'open');
      expect(open).toHaveLength(1);
      expect(Object.keys(github.store.refs())).toEqual([
        'refs/heads/main',
        'refs/heads/photon/revert-1',
      ]);
    }
  }, 400_000);
});
