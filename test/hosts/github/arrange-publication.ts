/** Publications over a fresh double, and what must be true of each at any time and at its end. */
import { expect } from 'vitest';
import { type GitHubDouble, startGitHub } from '../../doubles/github.ts';
import { bot } from '../../doubles/github-routes.ts';
import type { RefRules } from '../../doubles/routes/refs.ts';
import { carryOut, type Publication, seed, withContent } from './publication.ts';

export interface Arranged {
  readonly github: GitHubDouble;
  readonly publication: Publication;
}

/** A fresh double, and a publication of this kind on it. */
export async function arrange(
  kind: Publication['kind'],
  earlier: 'none' | 'open',
  refRules: RefRules = {},
): Promise<Arranged> {
  const github = await startGitHub({ seed, refRules });
  const { store, state } = github;
  const shown = kind !== 'pull-request';
  // a pull request of somebody's, for what goes onto its head or comments on it
  const baseCommit = shown
    ? store.push('feature', { 'a.txt': 'one\n', 'new.txt': 'x\n' })
    : github.first;
  if (kind === 'suggestions') store.push('feature', { 'a.txt': 'one\n', 'new.txt': 'y\n' });
  const head = kind === 'suggestions' ? store.git(['rev-parse', 'feature']) : baseCommit;
  const baseTree = store.git(['rev-parse', `${head}^{tree}`]);
  if (shown) state.pulls.set(1, pullRequest('feature'));
  const about: Publication = {
    kind,
    apiUrl: github.url,
    token: github.token,
    repository: github.repository,
    baseCommit: head,
    baseTree,
    expectedTree: '',
    content: '',
    run: 'first',
    pull: 1,
    ...(shown ? { branch: 'feature' } : {}),
  };
  const publication = withContent(github, about, 'two\n');
  // another patch: the same one would be kept as it is
  const older = withContent(github, { ...about, run: 'earlier' }, 'older\n');
  if (earlier === 'open') await carryOut(older);
  return { github, publication };
}

/** The requests of a publication that meets no trouble. */
export async function requestsOf(...about: Parameters<typeof arrange>) {
  const { github, publication } = await arrange(...about);
  const { length: before } = github.seen;
  await carryOut(publication);
  await github.close();
  return github.seen.slice(before);
}

function pullRequest(head: string) {
  return {
    number: 1,
    title: 'x',
    body: '',
    state: 'open' as const,
    draft: false,
    head,
    base: 'main',
    fork: false,
    labels: [],
    user: { ...bot, login: 'ann', type: 'User' as const },
  };
}

/** Whatever is seen between two runs: nothing, or a branch that holds the whole verified patch. */
export function expectNoHalf({ github, publication }: Arranged, before: readonly string[]): void {
  const { store } = github;
  const branch = publication.branch ?? 'photon/task-1';
  const head = store.tryGit(['rev-parse', '--verify', '-q', `refs/heads/${branch}`]);
  if (head !== undefined && !before.includes(head)) {
    expect(store.git(['rev-parse', `${head}^{tree}`])).toBe(publication.expectedTree);
    // where no force push is taken, the commit lies on the one that it replaces
    expect(store.isAncestor(publication.baseCommit, head)).toBe(true);
    const { noForcePush } = github.state.refRules;
    const replaced = store.files.parentsOf(head).filter(p => before.includes(p));
    if (noForcePush !== undefined)
      expect(replaced.length, 'lies on what was there').toBeGreaterThan(0);
    else expect(store.git(['rev-parse', `${head}^`])).toBe(publication.baseCommit);
  }
  for (const pull of github.state.pulls.values())
    if (pull.state === 'open')
      expect(
        store.tryGit(['rev-parse', '--verify', '-q', `refs/heads/${pull.head}`]),
      ).not.toBeUndefined();
}

/** Servers that take less of refs than github.com does without rules. */
export const servers: Readonly<Record<string, RefRules>> = {
  'that forbids force pushes': { noForcePush: /^refs\/heads\/photon\// },
};

/** The end: one branch, one pull request with all that belongs to it, and nothing else. */
export function expectWhole({ github, publication }: Arranged): void {
  const { store, state } = github;
  expect(github.violations).toEqual([]);
  switch (publication.kind) {
    case 'pull-request': {
      expect(Object.keys(store.refs())).toEqual(['refs/heads/main', 'refs/heads/photon/task-1']);
      const [pull, ...more] = [...state.pulls.values()].filter(p => p.state === 'open');
      expect(more).toEqual([]);
      expect(pull).toMatchObject({ head: 'photon/task-1', title: 'Two by next' });
      expect(new Set(pull?.labels)).toEqual(new Set(['bot']));
      expect(pull?.autoMerge).toBe('SQUASH');
      expect(new Set(pull?.reviewers)).toEqual(new Set(['ann']));
      expect(new Set(pull?.assignees)).toEqual(new Set(['bob']));
      expect(state.dispatched).toContainEqual({ workflow: 'ci.yml', ref: 'photon/task-1' });
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

/** Kinds of publication, and what an earlier run left of one. */
export const publications = [
  ['pull-request', 'none'],
  ['pull-request', 'open'],
  ['commit', 'none'],
  ['suggestions', 'none'],
] as const;
