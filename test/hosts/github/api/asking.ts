/** Requests to a GitHub that refuses or delays them. */
import { afterEach, beforeEach, expect } from 'vitest';
import type { PhotonError } from '../../../../src/base/codes.ts';
import { type GitHub, splitRepository } from '../../../../src/hosts/github/api/github.ts';
import { type GitHubDouble, startGitHub } from '../../../doubles/github.ts';
import { clientOf } from '../publication.ts';

export let github: GitHubDouble;

export const log: string[] = [];

export const client = (deadlineMs: number) =>
  clientOf(
    { apiUrl: github.url, token: github.token, repository: github.repository },
    { deadline: Date.now() + deadlineMs, log: line => log.push(line) },
  );

/** One read and one write; how it ended, how long it took, and how often each was asked. */
export async function ask(deadlineMs: number) {
  const api = await client(deadlineMs);
  const where = splitRepository(github.repository);
  const from = Date.now();
  const work = async (g: GitHub) => {
    await g.rest.git.getRef({ ...where, ref: 'heads/main' });
    await g.rest.git.createBlob({ ...where, content: 'x', encoding: 'utf-8' });
  };
  const end = await work(api).then(
    () => 'done',
    (error: PhotonError) => error.code,
  );
  return { end, tookMs: Date.now() - from, requests: github.seen.length };
}

/** A GitHub for each test of the calling file. */
export function useGitHub(): void {
  beforeEach(async () => {
    github = await startGitHub({ seed: { 'a.txt': 'one\n' } });
    log.length = 0;
  });
  afterEach(async () => {
    expect(github.violations).toEqual([]);
    await github.close();
  });
}
