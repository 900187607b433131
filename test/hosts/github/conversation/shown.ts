/** What a model is shown of an issue or a pull request. */
import { afterEach, beforeEach, expect } from 'vitest';
import type { Config } from '../../../../src/settings/settings.ts';
import { permit, writer } from '../../../doubles/events.ts';
import { type GitHubDouble, startGitHub } from '../../../doubles/github.ts';
import type { CommentState } from '../../../doubles/github-routes.ts';
import { resolveEvent } from '../../../doubles/resolve-event.ts';
import { sampleFiles } from '../../../doubles/sample.ts';

export let github: GitHubDouble;

export const earlier = '2026-02-01T11:00:00Z';

export const put = (id: number, body: string, more: Partial<CommentState> = {}) =>
  github.state.comments.set(id, { id, issue: 5, body, user: writer, createdAt: earlier, ...more });

/** The background of a task, each text behind its label and its author. */
export async function background(
  event: { readonly name: string; readonly payload: object },
  config: Config = {},
  baseCommit?: string,
) {
  const { planned, log } = await resolveEvent(github, {
    event,
    config,
    ...(baseCommit === undefined ? {} : { baseCommit }),
  });
  const { task, refused } = planned[0] ?? {};
  const texts = (task?.background ?? []).map(b => `${b.label} | ${b.author} | ${b.text}`);
  return { task, refused, texts, log };
}

/** A repository on GitHub for each test of the calling file. */
export function useGitHub(): void {
  beforeEach(async () => {
    github = await startGitHub({ seed: sampleFiles });
    permit(github);
  });
  afterEach(async () => {
    expect(github.violations).toEqual([]);
    await github.close();
  });
}
