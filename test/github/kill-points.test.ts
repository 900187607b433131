/** A publication killed between any two of its requests; the next run completes it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitHubDouble, startGitHub } from '../doubles/github.ts';
import { bot } from '../doubles/github-routes.ts';
import { root } from '../harness.ts';
import { sample } from '../seed.ts';
import { carryOut, type Publication, seed } from './publication.ts';

interface Arranged {
  readonly github: GitHubDouble;
  readonly publication: Publication;
}

/** A fresh double, and a publication of this kind on it. */
async function arrange(kind: Publication['kind'], earlier: 'none' | 'open'): Promise<Arranged> {
  const github = await startGitHub({ seed });
  const { store, state } = github;
  state.milestones.push({ number: 3, title: 'Next' });
  const shown = kind !== 'pull-request';
  // a pull request of somebody's, for what goes onto its head or comments on it
  const baseCommit = shown
    ? store.push('feature', { 'a.txt': 'one\n', 'new.txt': 'x\n' })
    : github.first;
  if (kind === 'suggestions') store.push('feature', { 'a.txt': 'one\n', 'new.txt': 'y\n' });
  const head = kind === 'suggestions' ? store.git(['rev-parse', 'feature']) : baseCommit;
  const baseTree = store.git(['rev-parse', `${head}^{tree}`]);
  const expectedTree = store.tree(head, [
    { path: 'a.txt', mode: '100644', sha: store.blob('two\n') },
    { path: 'c.bin', mode: '100755', sha: store.blob(new Uint8Array([0, 255, 1])) },
    { path: 'b.bin', mode: '0', sha: null },
  ]);
  if (shown) state.pulls.set(1, pullRequest('feature'));
  const publication: Publication = {
    ...{ kind, apiUrl: github.url, token: github.token, repository: github.repository },
    ...{ baseCommit: head, baseTree, expectedTree, run: 'first', pull: 1 },
    ...(shown ? { branch: 'feature' } : {}),
  };
  if (earlier === 'open') await carryOut({ ...publication, run: 'earlier' });
  return { github, publication };
}

function pullRequest(head: string) {
  return {
    ...{ number: 1, title: 'x', body: '', state: 'open' as const, draft: false, head },
    ...{
      base: 'main',
      fork: false,
      labels: [],
      user: { ...bot, login: 'ann', type: 'User' as const },
    },
  };
}

/**
 * Starts the publication as a process and kills it when a request has arrived and is not carried out
 * yet, which is all that lies between two requests. False: it came to its end before.
 */
async function killAt({ github, publication }: Arranged, moment: number): Promise<boolean> {
  const first = github.seen.length;
  const argv = [join(root, 'test/github/publish-process.ts'), JSON.stringify(publication)];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'] });
  github.watch(({ index, stage }) => {
    if (stage !== 'before' || index - first !== moment) return undefined;
    child.kill('SIGKILL');
    return 'drop';
  });
  const [, signal] = await once(child, 'close');
  github.watch(() => undefined);
  return signal === 'SIGKILL';
}

/** Whatever is seen between two runs: nothing, or a branch that holds the whole verified patch. */
function expectNoHalf({ github, publication }: Arranged, before: readonly string[]): void {
  const { store } = github;
  const branch = publication.branch ?? 'photon/task-1';
  const head = store.tryGit(['rev-parse', '--verify', '-q', `refs/heads/${branch}`]);
  if (head !== null && !before.includes(head)) {
    expect(store.git(['rev-parse', `${head}^{tree}`])).toBe(publication.expectedTree);
    expect(store.git(['rev-parse', `${head}^`])).toBe(publication.baseCommit);
  }
  for (const pull of github.state.pulls.values())
    if (pull.state === 'open')
      expect(
        store.tryGit(['rev-parse', '--verify', '-q', `refs/heads/${pull.head}`]),
      ).not.toBeNull();
}

/** The end: one branch, one pull request with all that belongs to it, no mark left. */
function expectWhole({ github, publication }: Arranged): void {
  const { store, state } = github;
  expect(github.violations).toEqual([]);
  const refs = store.refs();
  expect(Object.keys(refs).filter(r => r.startsWith('refs/photon/'))).toEqual([]);
  switch (publication.kind) {
    case 'pull-request': {
      expect(Object.keys(refs)).toEqual(['refs/heads/main', 'refs/heads/photon/task-1']);
      const [pull, ...more] = [...state.pulls.values()].filter(p => p.state === 'open');
      expect(more).toEqual([]);
      expect(pull).toMatchObject({ head: 'photon/task-1', title: 'Two by next' });
      expect(new Set(pull?.labels)).toEqual(new Set(['bot']));
      expect([pull?.milestone, pull?.autoMerge]).toEqual([3, 'SQUASH']);
      expect(new Set(pull?.reviewers)).toEqual(new Set(['ann']));
      expect(new Set(pull?.assignees)).toEqual(new Set(['bob']));
      break;
    }
    case 'commit':
      expect(store.git(['rev-list', '--count', `${publication.baseCommit}..feature`])).toBe('1');
      break;
    case 'suggestions':
      expect(state.reviews.filter(r => r.comments.length + r.body.length > 0)).toHaveLength(1);
      break;
  }
}

const cases = [
  ['pull-request', 'none'],
  ['pull-request', 'open'],
  ['commit', 'none'],
  ['suggestions', 'none'],
] as const;

describe('a publication that is killed', () => {
  it.each(cases)(
    'as %s (%s before) between any two requests is completed by the next run',
    async (kind, earlier) => {
      const whole = await arrange(kind, earlier);
      const { length: before } = whole.github.seen;
      await carryOut(whole.publication);
      const requests = whole.github.seen.length - before;
      await whole.github.close();
      expect(requests).toBeGreaterThanOrEqual(
        { 'pull-request': 13, commit: 5, suggestions: 3 }[kind],
      );
      const moments = [...Array(requests).keys()];
      for (const moment of sample(
        `kills of ${kind} ${earlier}`,
        moments,
        kind === 'pull-request' ? 3 : 1,
      )) {
        const arranged = await arrange(kind, earlier);
        const heads = Object.values(arranged.github.store.refs());
        const where = `killed before request ${moment}`;
        try {
          expect(await killAt(arranged, moment)).toBe(true);
          expectNoHalf(arranged, heads);
          const next = await carryOut({ ...arranged.publication, run: 'next' });
          expect(next, where).toMatchObject({ delivered: { kind } });
          expectWhole(arranged);
        } catch (error) {
          throw new Error(`${where}: ${error}`, { cause: error });
        }
        await arranged.github.close();
      }
    },
    300_000,
  );
});
