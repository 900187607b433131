/** Publications on servers that restrict what a token may do to refs. */
import { afterEach, expect } from 'vitest';
import type { PhotonError } from '../../../src/base/codes.ts';
import type { GitHubDouble } from '../../doubles/github.ts';
import type { RefRules } from '../../doubles/routes/refs.ts';
import { type Arranged, arrange } from './arrange-publication.ts';

export const branch = 'photon/task-1';

export const ours = /^refs\/heads\/photon\//;

export let github: GitHubDouble;

export async function start(rules: RefRules, earlier: 'none' | 'open' = 'open'): Promise<Arranged> {
  const arranged = await arrange('pull-request', earlier, rules);
  github = arranged.github;
  return arranged;
}

export const headNow = () => github.store.git(['rev-parse', branch]);

export const readTree = (commit: string) => github.store.git(['rev-parse', `${commit}^{tree}`]);

export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'published',
    (error: PhotonError) => error.code,
  );

/** The same patch on a base that went on. */
export function onNewBase({ publication }: Arranged): Arranged['publication'] {
  const { store } = github;
  const baseCommit = store.push('main', { 'other.txt': 'other\n' });
  const expectedTree = store.tree(publication.expectedTree, [
    { path: 'other.txt', mode: '100644', sha: store.blob('other\n') },
  ]);
  return { ...publication, baseCommit, baseTree: readTree(baseCommit), expectedTree, run: 'next' };
}

/** A server for each test of the calling file. */
export function useServer(): void {
  afterEach(async () => {
    expect(github.violations).toEqual([]);
    await github.close();
  });
}
